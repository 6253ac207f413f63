import { randomInt } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { checkEveryWrite } from '../testing/every-write/check-every-write.ts';
import { copyOnServer, freshFile } from '../testing/every-write/fresh-database.ts';

/**
 * PostgreSQL takes several times as long for the same answers. `npm run soak` runs any number of steps, and repeats a failure
 * by its seed.
 */
const STEPS = { sqlite: 150, postgres: 60 };

/** A failing sequence is run repeatedly to make it shorter. */
const TIMEOUT_MS = 900_000;

test(
  'after any writes in any order from two processes, all lists, totals, exports, histories and activity entries are those of a simple model',
  async () => {
    const freshDatabase =
      inject('engine') === 'sqlite' ? freshFile : () => copyOnServer(inject('postgresUrl'), inject('postgresTemplate'));
    const steps = STEPS[inject('engine')];
    const driven = await checkEveryWrite({ seed: randomInt(2 ** 31), steps, freshDatabase });
    expect(driven.steps).toBeGreaterThanOrEqual(steps);
  },
  TIMEOUT_MS,
);
