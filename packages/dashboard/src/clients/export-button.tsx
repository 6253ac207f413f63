import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { FileForm } from '../components/file-form.tsx';
import { useEnvironment } from '../environment.ts';
import { sessionQuery } from '../session.ts';

interface ExportButtonProps {
  filters: Record<string, string | number | undefined>;
}

export function ExportButton({ filters }: ExportButtonProps) {
  const environment = useEnvironment();
  if (!useSuspenseQuery(sessionQuery).data.may_export) return null;
  return (
    <FileForm action={`/${environment}/clients.csv`} fields={filters} problem="The export did not start">
      <Button type="submit" variant="default" leftSection={<IconDownload size={16} />}>
        Export CSV
      </Button>
    </FileForm>
  );
}
