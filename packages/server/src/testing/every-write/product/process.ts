// A process of the product. It opens the given database, answers questions, and keeps in memory what the product keeps
// between requests.
import { KeyDirectory } from '../../../domain/credentials/key-directory.ts';
import { openStore } from '../../../store/open-store.ts';
import { TEST_SECRET } from '../../test-secret.ts';
import type { Answered, Asked, Question, Questions } from '../messages.ts';
import { perform } from './perform.ts';
import { listAccounts, type Product, readView } from './read-view.ts';

/** So small that every few changes split a run, and every dozen a section. */
const SMALL_LEVELS = { runs: { number: 0, maxSize: 3 }, sections: { number: 1, maxSize: 12 } } as const;

let product: Product | undefined;

/** The time of the last question. */
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
    const store = openStore(databaseUrl, { indexLevels: SMALL_LEVELS, secrets: [TEST_SECRET] });
    await store.migrate();
    product = { store, keyDirectory: new KeyDirectory({ keys: store.keys, clock }) };
    return null;
  },
  perform: (request) => perform(opened().store, request),
  listAccounts: () => listAccounts(opened().store),
  readView: (query) => {
    now = query.at;
    return readView(opened(), query);
  },
  checkConsistency: () => opened().store.checkConsistency(),
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
  // The parent process may have ended.
  process.send?.(answered, (error: Error | null) => error && process.exit());
});
process.on('disconnect', () => process.exit());
