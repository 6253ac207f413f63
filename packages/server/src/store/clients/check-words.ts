import { wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { readClients } from './all-clients.ts';
import { WordSums } from './word-sums.ts';

/** Compares the words in the index with those of the clients. Reports ranges of clients whose words are wrong. */
export async function checkWords(
  { words }: Engine,
  db: ReadOnlyDatabase,
  workspace: { id: number; last_client_id: number },
): Promise<string[]> {
  const sums = new WordSums(workspace.last_client_id);
  for await (const rows of readClients(db, workspace.id)) {
    for (const row of rows) for (const word of wordsOfClient(row)) sums.add(row.id, word);
  }
  await words.readAll(db, workspace.id, (clientId, word) => sums.subtract(clientId, word));
  const where = `workspace ${workspace.id}, words`;
  const problems = [...sums.wrong()].map(
    ({ first, last }) => `${where}: those of clients ${first} to ${last} are wrong`,
  );
  if (sums.unknownId !== undefined) problems.push(`${where}: client ${sums.unknownId} does not exist`);
  return problems;
}
