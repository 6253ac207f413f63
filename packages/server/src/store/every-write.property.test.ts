import { randomInt } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { driveEveryWrite } from '../testing/every-write/drive.ts';
import { copyOnServer, freshFile } from '../testing/every-write/fresh-database.ts';

/**
 * PostgreSQL takes several times as long for the same answers. `npm run soak` takes as many steps as it is told, and the
 * seed of a failure.
 */
const STEPS = { sqlite: 150, postgres: 60 };

/** A sequence that fails is run again and again to make it shorter. */
const TIMEOUT_MS = 900_000;

test(
  'whatever is written, in whatever order and from two processes, every list, total, export, history and record is what a plain model says',
  async () => {
    const freshDatabase =
      inject('engine') === 'sqlite' ? freshFile : () => copyOnServer(inject('postgresUrl'), inject('postgresTemplate'));
    const steps = STEPS[inject('engine')];
    const driven = await driveEveryWrite({ seed: randomInt(2 ** 31), steps, freshDatabase });
    expect(driven.steps).toBeGreaterThanOrEqual(steps);
  },
  TIMEOUT_MS,
);
