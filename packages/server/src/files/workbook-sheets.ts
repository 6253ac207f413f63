import type { Unzipped } from 'fflate';

/** Excel allows 31 characters. A longer name, which another program may have written, is shortened. */
const NAME_MAX = 100;

/** The names of the sheets of a workbook, in their order. */
export function sheetNames(files: Unzipped): string[] {
  const sheets = textOf(files, 'xl/workbook.xml').matchAll(/<sheet\b[^>]*\bname="([^"]*)"/g);
  return Array.from(sheets, ([, name = '']) => unescaped(name).slice(0, NAME_MAX));
}

/** The name of the file with the first sheet. */
export function firstSheet(files: Unzipped): string {
  const [, id = ''] = /<sheet\b[^>]*\br:id="([^"]+)"/.exec(textOf(files, 'xl/workbook.xml')) ?? [];
  for (const [relationship] of textOf(files, 'xl/_rels/workbook.xml.rels').matchAll(/<Relationship\b[^>]*>/g)) {
    if (!relationship.includes(`Id="${id}"`)) continue;
    const [, target = ''] = /\bTarget="([^"]+)"/.exec(relationship) ?? [];
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return '';
}

export function textOf(files: Unzipped, name: string): string {
  return new TextDecoder().decode(files[name]);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (entity, decimal?: string, hex?: string, name = '') => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      // A number that no character has is left as it is.
      if (code <= CODE_POINT_MAX) return String.fromCodePoint(code);
      return ENTITIES[name] ?? entity;
    },
  );
}

const CODE_POINT_MAX = 0x10ffff;
