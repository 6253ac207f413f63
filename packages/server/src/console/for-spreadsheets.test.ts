import { expect, test } from 'vitest';
import { readClients } from '../files/read-clients.ts';
import { forSpreadsheets } from './for-spreadsheets.ts';

async function* parts(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

test('a file for spreadsheets begins with one byte order mark, and is imported as it is', async () => {
  const lines = ['email,client_name,client_type,group_name\n', 'a@mail.example,Jörg,company,Süd\n'];
  const bytes = new TextEncoder().encode((await Array.fromAsync(forSpreadsheets(parts(...lines)))).join(''));
  expect([...bytes.slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 'e'.charCodeAt(0)]);
  const source = async function* () {
    yield bytes;
  };
  expect(await Array.fromAsync(readClients(source(), 'csv'))).toMatchObject([
    { cells: { email: 'a@mail.example', client_name: 'Jörg', group_name: 'Süd' } },
  ]);
});
