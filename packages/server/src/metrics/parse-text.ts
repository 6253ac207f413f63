/** One line of metrics: a name, labels and a value. */
export interface ParsedSample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The samples by their name. A histogram has three: with `_bucket`, `_sum` and `_count` at their ends. */
export type ParsedMetrics = ReadonlyMap<string, readonly ParsedSample[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. Returns `undefined` if it is anything else. */
export function parseMetrics(text: string): ParsedMetrics | undefined {
  const metrics = new Map<string, ParsedSample[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) return undefined;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels: parseLabels(labels), value: Number(value.replace('Inf', 'Infinity')) });
    metrics.set(name, samples);
  }
  return metrics;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(LABEL)) labels[name] = unescaped(value);
  return labels;
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));
}
