/** One line of metrics: a name, labels and a value. */
export interface ParsedSample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The samples by their name. A histogram has three: with `_bucket`, `_sum` and `_count` at their ends. */
export type ParsedMetrics = ReadonlyMap<string, readonly ParsedSample[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/;
/** Each begins where the one before ended. Looking for the next one would take forever on a long text that has none. */
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** Far more than a service has that has answered on all its routes with several statuses, and each line is short. */
const SAMPLES_MAX = 50_000;
const LINE_LENGTH_MAX = 4096;

/** Reads the text format of Prometheus. Returns `undefined` if it is anything else, or more than a service can have to say. */
export function parseMetrics(text: string): ParsedMetrics | undefined {
  const metrics = new Map<string, ParsedSample[]>();
  let count = 0;
  for (const line of text.split('\n')) {
    if (line.length > LINE_LENGTH_MAX) return undefined;
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labelsText = '', value = ''] = LINE.exec(line) ?? [];
    const labels = parseLabels(labelsText);
    if (name === undefined || labels === undefined || ++count > SAMPLES_MAX) return undefined;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels, value: Number(value.replace('Inf', 'Infinity')) });
    metrics.set(name, samples);
  }
  return metrics;
}

function parseLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  let length = 0;
  for (const [label, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = unescaped(value);
    length += label.length;
  }
  return length === text.length ? labels : undefined;
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));
}
