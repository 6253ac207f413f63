import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../environment.ts';
import type { ClientsSearch } from './search.ts';

interface StatCardProps {
  label: string;
  /** Undefined until it is known. */
  value: number | undefined;
  to: '/$environment/clients' | '/$environment/groups' | '/$environment/settings/api-credentials';
  search?: ClientsSearch;
}

/** A number that links to what it counts. */
export function StatCard({ label, value, to, search = {} }: StatCardProps) {
  const environment = useEnvironment();
  return (
    <Link to={to} params={{ environment }} search={search} className="surface stat-card">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="numeric" fz={26} fw={600} lh={1.3}>
        {value?.toLocaleString() ?? '…'}
      </Text>
    </Link>
  );
}
