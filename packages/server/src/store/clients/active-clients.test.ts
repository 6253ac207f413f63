import { expect, inject, test, vi } from 'vitest';
import { listClients } from '../../domain/clients/list-clients.ts';
import { setClientStatus } from '../../domain/clients/manage-clients.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import { PageStatements } from './client-index/page-statements.ts';

const TINY = { runs: { number: 0, maxSize: 3 }, sections: { number: 1, maxSize: 12 } } as const;

/** Few active clients among many inactive ones. */
async function openFirm() {
  const url = await newDatabase(inject('engine'));
  const store = await openTestStoreAt(url, { indexLevels: TINY });
  const clock = new TestClock();
  const { workspaceId } = await aWorkspace(store, clock, 'a@firm.example');
  const clients = Array.from({ length: 122 }, (_, index) =>
    aClient({ createdAt: 1000 + index, status: [2, 10, 111].includes(index) ? 'active' : 'inactive' }),
  );
  await addClients(store, workspaceId, clients);
  const references = [2, 10, 111].map((index) => clients[index]?.referenceId ?? '');
  const list = async () => {
    const request = { pageNumber: 1, pageLimit: 2, clientStatus: 'active' } as const;
    const { totalCount, clients } = await listClients(store, workspaceId, request);
    return { totalCount, references: clients.map(({ referenceId }) => referenceId) };
  };
  return { url, clock, workspaceId, references, list };
}

test('a page that is read in pieces is as of one moment, even if another process changes clients between them', async () => {
  const { url, clock, workspaceId, references, list } = await openFirm();
  const [oldest = '', middle = '', newest = ''] = references;
  for (let time = 0; time < 3; time++) expect(await list()).toEqual({ totalCount: 3, references: [newest, middle] });

  const other = await openTestStoreAt(url, { indexLevels: TINY });
  const read = PageStatements.prototype.read;
  let pieces = 0;
  const spy = vi.spyOn(PageStatements.prototype, 'read').mockImplementation(async function (
    this: PageStatements,
    ...of
  ) {
    if (++pieces === 2) {
      for (const reference of [middle, oldest]) {
        await setClientStatus({ ...other, clock }, { workspaceId, actor: TESTER }, reference, 'inactive');
      }
    }
    return read.apply(this, of);
  });
  expect(await list()).toEqual({ totalCount: 1, references: [newest] });
  expect(pieces).toBeGreaterThan(1);
  spy.mockRestore();
  expect(await list()).toEqual({ totalCount: 1, references: [newest] });
});
