import { expect, test } from 'vitest';
import { openJobsIn } from './meter-service.ts';

test('jobs of all kinds are counted at the same time, so that a slow database delays metrics once', async () => {
  const allBegun = Promise.withResolvers<void>();
  let begun = 0;
  /** Ends only when all counts have begun. */
  const count = async <T>(result: T) => {
    if (++begun === 3) allBegun.resolve();
    await allBegun.promise;
    return result;
  };
  const counted = await openJobsIn({
    imports: { countOpen: () => count({ waiting: 1, running: 2 }) },
    bulkChanges: { countOpen: () => count({ waiting: 3, running: 4 }) },
    mailQueue: { count: () => count(5) },
  });
  expect(counted).toEqual({
    import: { waiting: 1, running: 2 },
    bulk_change: { waiting: 3, running: 4 },
    mail: { waiting: 5, running: 0 },
  });
});
