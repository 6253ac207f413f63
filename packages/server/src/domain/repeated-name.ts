const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;
const NAME = /"\s*:/g;

/**
 * The first name that an object of a JSON text has twice. `JSON.parse` keeps the last one, and another program that looked at
 * the same text may have kept the first. The text must be valid JSON, and `value` what it says.
 */
export function repeatedName(json: string, value: unknown): string | undefined {
  // Most objects are flat, and for them it is enough to count.
  if (isFlat(value) && (json.match(NAME)?.length ?? 0) === Object.keys(value).length) return undefined;
  const objects: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') objects.push(new Set());
    else if (token === '[') objects.push(undefined);
    else if (token === '}' || token === ']') objects.pop();
    else if (token !== ':') last = token;
    else {
      const name = last.includes('\\') ? String(JSON.parse(last)) : last.slice(1, -1);
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
}

function isFlat(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => typeof each !== 'object' || each === null);
}
