import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { percentText } from '../comparison-text.ts';
import { useEnvironment } from '../environment.ts';
import type { ClientsSearch } from './search.ts';

export interface Bar {
  label: string;
  value: number;
  colour?: string;
  /** Which clients are counted. Without it, the bar leads to the list of groups. */
  search?: ClientsSearch;
}

/** Parts of a whole, as a list of links, so that it works with a keyboard and a screen reader. The full width is the whole. */
export function BarList({ items, whole }: { items: Bar[]; whole: number }) {
  return (
    <ul className="bar-list">
      {items.map((bar) => (
        <li key={bar.label}>
          <BarLink {...bar} whole={whole} />
        </li>
      ))}
    </ul>
  );
}

function BarLink({ label, value, colour = 'var(--mantine-color-ink-5)', search, whole }: Bar & { whole: number }) {
  const environment = useEnvironment();
  const content = (
    <>
      <span className="bar-text">
        <Text span size="sm" truncate>
          {label}
        </Text>
        <Text span size="sm" className="numeric unwrapped" fw={500}>
          {value.toLocaleString()}
          <Text span inherit c="dimmed" fw={400}>
            {' '}
            · {percentText(value, whole)}
          </Text>
        </Text>
      </span>
      <span className="bar-track">
        <i style={{ width: `${(100 * value) / Math.max(1, whole)}%`, background: colour }} />
      </span>
    </>
  );
  if (search === undefined) {
    return (
      <Link to="/$environment/groups" params={{ environment }}>
        {content}
      </Link>
    );
  }
  return (
    <Link to="/$environment/clients" params={{ environment }} search={search}>
      {content}
    </Link>
  );
}
