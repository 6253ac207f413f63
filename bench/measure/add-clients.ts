// Adds clients at a steady rate, with the same rules and the same store as every command, until a message tells it to stop.
// It sends a message when it has started, and at the end the number of clients that it added.
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR } from '../../packages/server/src/domain/change.ts';
import { addClient } from '../../packages/server/src/domain/clients/manage-clients.ts';
import { findWorkspace } from '../../packages/server/src/domain/members/account.ts';
import { openStore } from '../../packages/server/src/store/open-store.ts';
import { ACCOUNT } from '../peers/rollcall.ts';

const [databaseUrl = '', perSecond = '50'] = process.argv.slice(2);
const store = openStore(databaseUrl);
const clock = { now: () => Date.now() };
const workspaceId = await findWorkspace(store, ACCOUNT, 'production');

let stopping = false;
process.once('message', () => {
  stopping = true;
});
process.send?.('started');

const start = performance.now();
let added = 0;
while (!stopping) {
  const request = {
    email: `arrival.${start}-${added}@mail.example`,
    name: `Arrival ${added}`,
    type: 'individual' as const,
    groupName: 'Small business',
  };
  await addClient({ ...store, clock }, { workspaceId, actor: OPERATOR }, request);
  added++;
  const due = start + (added * 1000) / Number(perSecond);
  if (due > performance.now()) await sleep(due - performance.now());
}
const seconds = (performance.now() - start) / 1000;
await store.close();
process.send?.({ added, perSecond: added / seconds });
process.disconnect?.();
