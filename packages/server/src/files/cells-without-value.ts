import type { Unzipped } from 'fflate';
import { firstSheet, textOf } from './workbook-sheets.ts';

const CELL = /<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs;

/**
 * The cells of the first sheet that show an error, or a formula without its result, by the number of their row. The library
 * takes them for empty ones, and a client would silently lose what the cell was meant to say.
 */
export function cellsWithoutValue(files: Unzipped): Map<number, string> {
  const problems = new Map<number, string>();
  for (const [, attributes = '', content = ''] of textOf(files, firstSheet(files)).matchAll(CELL)) {
    const problem = problemOf(attributes, content);
    const [, address = '', row = ''] = /\br="([A-Z]+(\d+))"/.exec(attributes) ?? [];
    if (problem && !problems.has(Number(row))) problems.set(Number(row), `the cell ${address} ${problem}`);
  }
  return problems;
}

function problemOf(attributes: string, content: string): string | undefined {
  if (/\bt="e"/.test(attributes)) return 'shows an error instead of a value';
  if (!/<f\b/.test(content) || /<v\b[^>]*>[^<]/.test(content)) return undefined;
  // The result of a formula may be an empty text.
  const isEmptyText = /\bt="str"/.test(attributes) && /<v\b/.test(content);
  return isEmptyText ? undefined : 'has a formula without a result; open the file in Excel and save it again';
}
