import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../environment.ts';
import type { ClientsSearch } from './search.ts';

export interface Bar {
  label: string;
  value: number;
  colour?: string;
  search: ClientsSearch;
}

/** A bar chart built as a list of links, so that it works with a keyboard and a screen reader. */
export function BarList({ items }: { items: Bar[] }) {
  const environment = useEnvironment();
  const largest = Math.max(1, ...items.map(({ value }) => value));
  return (
    <ul className="bar-list">
      {items.map(({ label, value, colour = 'var(--mantine-color-ink-5)', search }) => (
        <li key={label}>
          <Link to="/$environment/clients" params={{ environment }} search={search}>
            <span className="bar-text">
              <Text span size="sm" truncate>
                {label}
              </Text>
              <Text span size="sm" className="numeric" fw={500}>
                {value.toLocaleString()}
              </Text>
            </span>
            <span className="bar-track">
              <i style={{ width: `${(100 * value) / largest}%`, background: colour }} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
