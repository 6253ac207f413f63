/** Names and values in turn: the form that Node writes fastest. */
export type HeaderList = readonly string[];

export function asRecord(headers: HeaderList): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index + 1 < headers.length; index += 2) record[headers[index] ?? ''] = headers[index + 1] ?? '';
  return record;
}

/** All values of a header, read from the raw list, because `request.headers` drops or joins what was sent twice. */
export function valuesOf(headers: HeaderList, lowerCaseName: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (isNamed(headers[index], lowerCaseName)) values.push(headers[index + 1] ?? '');
  }
  return values;
}

/** Asked of every request, so it makes no list. */
export function hasHeader(headers: HeaderList, lowerCaseName: string): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    if (isNamed(headers[index], lowerCaseName)) return true;
  }
  return false;
}

function isNamed(name: string | undefined, lowerCaseName: string): boolean {
  return name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName;
}

/** The headers of both lists. Where both have a header, the second list wins. */
export function overrideHeaders(headers: HeaderList, overrides: HeaderList): string[] {
  const names = new Set(overrides.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  const kept = headers.filter((_, index) => !names.has((headers[index - (index % 2)] ?? '').toLowerCase()));
  return [...kept, ...overrides];
}
