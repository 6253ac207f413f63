import { strToU8, zipSync } from 'fflate';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export type Cell = string | number | boolean | Date | null | { formula: string; result: string };

const FILES = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  // The second style is that of a date with a time.
  'xl/styles.xml': `<styleSheet xmlns="${SHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
};

/** An Excel workbook with one sheet, and perhaps others, whose names are given as in XML and which have the same rows. */
export function aWorkbook(rows: readonly (readonly Cell[])[], others: readonly string[] = []): Uint8Array<ArrayBuffer> {
  return aWorkbookOf(rows.map((cells, index) => rowXml(index + 1, cells)).join(''), others);
}

/** The same with the XML of its rows, right or wrong. */
export function aWorkbookOf(rowsXml: string, others: readonly string[] = []): Uint8Array<ArrayBuffer> {
  const sheet = `<worksheet xmlns="${SHEET}"><sheetData>${rowsXml}</sheetData></worksheet>`;
  const files = Object.entries({ ...FILES, ...workbookFile(others), 'xl/worksheets/sheet1.xml': sheet });
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(XML + text)])));
}

function workbookFile(others: readonly string[]): Record<string, string> {
  const sheets = ['Clients &amp; others', ...others].map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r1"/>`,
  );
  const workbook = `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`;
  return { 'xl/workbook.xml': workbook };
}

function rowXml(number: number, cells: readonly Cell[]): string {
  const xml = cells.map((cell, index) => cellXml(`${String.fromCharCode(65 + index)}${number}`, cell));
  return `<row r="${number}">${xml.join('')}</row>`;
}

function cellXml(address: string, cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  // Days since the end of 1899.
  if (cell instanceof Date) return `<c r="${address}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
  if (typeof cell === 'object') return `<c r="${address}" t="str"><f>${cell.formula}</f><v>${cell.result}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
}
