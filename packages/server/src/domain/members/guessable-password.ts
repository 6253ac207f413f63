import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Many more than anybody can try at sign-in, and more than variations of all common passwords. */
const GUESSES_MIN = 1e6;

/** For what is left of a password without the words that others know. It then has to be guessed which of these, and where. */
const GUESSES_OF_REST_MIN = 1e5;

/** Finding the words of a long password takes long, and its beginning says enough. */
const CHARACTERS_MAX = 64;

const PRODUCT = 'rollcall';

let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether the password would soon be guessed by a program that knows common passwords, how people change these, and some
 * facts about the member.
 */
export async function isGuessable(password: string, facts: readonly string[]): Promise<boolean> {
  loading ??= load();
  const estimator = await loading;
  const guessed = password.slice(0, CHARACTERS_MAX).toLowerCase();
  const known = wordsOf([PRODUCT, ...facts]);
  if (estimator.check(guessed, known).guesses < GUESSES_MIN) return true;
  const rest = known.reduce((text, word) => text.replaceAll(word, ''), guessed);
  return rest !== guessed && estimator.check(rest).guesses < GUESSES_OF_REST_MIN;
}

/** The facts and their words, the longest first. */
function wordsOf(facts: readonly string[]): string[] {
  const words = facts.flatMap((fact) => [fact, ...fact.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words.map((word) => word.toLowerCase()))]
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length);
}

/** Loaded when the first password is chosen, because the list of fifty thousand common ones takes some megabytes. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
