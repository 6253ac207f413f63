import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { FileForm } from '../components/file-form.tsx';
import { useEnvironment } from '../environment.ts';

interface ExportButtonProps {
  filters: Record<string, string | number | undefined>;
}

export function ExportButton({ filters }: ExportButtonProps) {
  const environment = useEnvironment();
  return (
    <FileForm action={`/${environment}/clients.csv`} fields={filters} problem="The export did not start">
      <Button type="submit" variant="default" leftSection={<IconDownload size={16} />}>
        Export CSV
      </Button>
    </FileForm>
  );
}
