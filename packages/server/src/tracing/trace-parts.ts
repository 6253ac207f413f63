/** Runs work within a span of this name. */
export type InSpan = <T>(name: string, work: () => T) => T;

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * The same functions, each in a span with its name, such as `clients.read`. Arguments and results are never recorded, because they
 * contain personal data. Objects of classes are left as they are.
 */
export function traceParts<Parts extends object>(parts: Parts, inSpan: InSpan, prefix = ''): Parts {
  const traced = Object.entries(parts).map(([name, part]) => [name, tracePart(part, inSpan, prefix + name)]);
  return Object.fromEntries(traced) as Parts;
}

function tracePart(part: unknown, inSpan: InSpan, name: string): unknown {
  if (typeof part === 'function') {
    const run = part as AnyFunction;
    return (...args: unknown[]) => inSpan(name, () => run(...args));
  }
  return isPlain(part) ? traceParts(part, inSpan, `${name}.`) : part;
}

function isPlain(part: unknown): part is object {
  return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
}
