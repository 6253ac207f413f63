/** Excel takes a CSV file for text in an old encoding and breaks its umlauts, unless it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The text of a CSV file that a member downloads. Programs, which use the API or the command line, get it without the mark. */
export async function* forSpreadsheets(text: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK;
  for await (const part of text) {
    yield mark + part;
    mark = '';
  }
}
