// Generates openapi.json from the routes. With --check, it only checks whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/server/src/api/document.ts';

const file = new URL('../openapi.json', import.meta.url);
const current = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  process.stderr.write('openapi.json is out of date: run `npm run openapi` and commit it.\n');
  process.exitCode = 1;
}
