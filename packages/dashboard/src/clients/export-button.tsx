import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { FileForm } from '../components/file-form.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';

interface ExportButtonProps extends Pick<ButtonProps, 'size'> {
  id?: string;
  filters: Record<string, string | number | undefined>;
  label?: string;
}

export function ExportButton({ filters, label = 'Export CSV', size, id }: ExportButtonProps) {
  const environment = useEnvironment();
  if (!useSuspenseQuery(sessionQuery).data.may_export) return null;
  return (
    <FileForm action={`/${environment}/clients.csv`} fields={filters} problem="The export did not start">
      <Button
        type="submit"
        variant="default"
        title="Oldest first, so that importing the file restores the order"
        leftSection={<IconDownload size={size === 'xs' ? 14 : 16} />}
        {...(size && { size })}
        {...(id && { id })}
      >
        {label}
      </Button>
    </FileForm>
  );
}
