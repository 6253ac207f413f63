import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Many more than anybody can try at sign-in, and more than variations of all common passwords. */
const GUESSES_MIN = 1e6;

/** Finding the words of a long password takes long, and its beginning says enough. */
const CHARACTERS_MAX = 64;

let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether the password would soon be guessed by a program that knows common passwords, how people change these, and some
 * facts about the member.
 */
export async function isGuessable(password: string, facts: readonly string[]): Promise<boolean> {
  loading ??= load();
  const words = ['rollcall', ...facts, ...facts.flatMap((fact) => fact.split(/[^\p{L}\p{N}]+/u))];
  const known = words.filter((word) => word.length > 2);
  return (await loading).check(password.slice(0, CHARACTERS_MAX), known).guesses < GUESSES_MIN;
}

/** Loaded when the first password is chosen, because the list of fifty thousand common ones takes some megabytes. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
