import { useLocalStorage } from '@mantine/hooks';

/** Every column except the first, which is the client. In the order in which they are shown. */
export const COLUMN_LABELS = {
  request_status: 'Request status',
  client_type: 'Type',
  client_status: 'Client status',
  group_name: 'Group',
  created_at: 'Added',
  external_id: 'External ID',
  reference_id: 'Reference ID',
} as const;
export type Column = keyof typeof COLUMN_LABELS;
export const COLUMNS = Object.keys(COLUMN_LABELS) as Column[];

export interface TableOptions {
  columns: Column[];
  density: 'comfortable' | 'compact';
}

const KEY = 'rollcall-clients-table';

export const DEFAULT_OPTIONS: TableOptions = {
  columns: ['request_status', 'client_type', 'group_name', 'created_at'],
  density: 'comfortable',
};

/** How this browser shows the table of clients. */
export function useTableOptions(): [options: TableOptions, setOptions: (options: TableOptions) => void] {
  const [options, setOptions] = useLocalStorage<TableOptions>({
    key: KEY,
    defaultValue: DEFAULT_OPTIONS,
    getInitialValueInEffect: false,
    deserialize: readOptions,
  });
  return [options, setOptions];
}

/** What is stored may come from another version. */
function readOptions(stored: string | undefined): TableOptions {
  try {
    const { columns, density } = JSON.parse(stored ?? '') as Partial<TableOptions>;
    return {
      columns: Array.isArray(columns) ? COLUMNS.filter((column) => columns.includes(column)) : DEFAULT_OPTIONS.columns,
      density: density === 'compact' ? density : DEFAULT_OPTIONS.density,
    };
  } catch {
    return DEFAULT_OPTIONS;
  }
}
