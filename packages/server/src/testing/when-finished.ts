import { afterAll, onTestFinished } from 'vitest';

type CleanUp = () => unknown;

/** Where clean-ups go while something is opened that several tests share. */
let shared: CleanUp[] | undefined;

/** Calls the function when the test is over, or, for what `openOnce` opens, when all tests of the file are. */
export function whenFinished(cleanUp: CleanUp): void {
  if (shared) shared.unshift(cleanUp);
  else {
    onTestFinished(async () => {
      await cleanUp();
    });
  }
}

/**
 * Opens a store or servers for several tests of a file when the first of them asks for it, because opening takes longer than
 * most tests. These tests leave nothing behind, or have an account each.
 */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  const cleanUps: CleanUp[] = [];
  let opened: Promise<T> | undefined;
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    opened ??= collecting(cleanUps, open);
    return opened;
  };
}

async function collecting<T>(cleanUps: CleanUp[], open: () => Promise<T>): Promise<T> {
  shared = cleanUps;
  try {
    return await open();
  } finally {
    shared = undefined;
  }
}
