// One process of the product: opens the database that it is told, does what it is asked, and keeps everything in memory
// that the product keeps there between requests.
import { EndedKeysMirror } from '../../../domain/credentials/ended-keys.ts';
import { openStore } from '../../../store/open-store.ts';
import type { Answered, Asked, Question, Questions } from '../messages.ts';
import { listAccounts, lookAt, type Product } from './look.ts';
import { perform } from './perform.ts';

/** So small that every few changes cut a run, and every dozen a section. */
const TINY = { runs: { number: 0, maxSize: 3 }, sections: { number: 1, maxSize: 12 } } as const;

let product: Product | undefined;

/** Whatever the time is where the question comes from. */
let now = 0;
const clock = { now: () => now };

function opened(): Product {
  if (!product) throw new Error('No database has been opened.');
  return product;
}

async function close(): Promise<void> {
  await product?.store.close();
  product = undefined;
}

const ANSWERS: { [Q in Question]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> } = {
  open: async ({ databaseUrl }) => {
    await close();
    const store = openStore(databaseUrl, { levels: TINY });
    await store.migrate();
    product = { store, endedKeys: new EndedKeysMirror({ keys: store.keys, clock }) };
    return null;
  },
  perform: (request) => perform(opened().store, request),
  listAccounts: () => listAccounts(opened().store),
  look: (look) => {
    now = look.at;
    return lookAt(opened(), look);
  },
  examine: () => opened().store.examine(),
  close: async () => {
    await close();
    return null;
  },
};

process.on('message', async ({ number, question, ask }: Asked) => {
  const answer = ANSWERS[question] as (ask: unknown) => Promise<unknown>;
  const answered: Answered = await answer(ask).then(
    (answer) => ({ number, answer }),
    (error) => ({ number, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  // Whoever asked may be gone, before the answer or after it.
  process.send?.(answered, (error: Error | null) => error && process.exit());
});
process.on('disconnect', () => process.exit());
