import type { Scope } from '#contract/credentials/keys.ts';
import { canRead } from './example-command.ts';

/** What the example commands do. */
export function ExampleText({ scopes }: { scopes: readonly Scope[] }) {
  if (!canRead(scopes))
    return 'The command gets an access token. This key may not read clients, so it cannot list them.';
  return (
    <>
      The first command gets an access token, and the second lists your newest clients, up to three. With{' '}
      <span className="unwrapped">-i</span>, curl shows the Link header, which has the path of the next page: put the
      same address before it.
    </>
  );
}
