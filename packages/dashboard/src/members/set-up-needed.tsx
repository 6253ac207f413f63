import { Stack, Text } from '@mantine/core';
import { CentredPage } from '../components/centred-page.tsx';
import { CopyBlock } from '../components/copy-block.tsx';
import { Fold } from '../components/fold.tsx';

const COMMAND = 'rollcall account create --name "Your firm" --email you@firm.example';

/** In place of a sign-in, as long as there is no account: where the link for the set-up is, and how to get a new one. */
export function SetUpNeeded() {
  return (
    <CentredPage
      title="Set up Rollcall"
      description="There is no account yet, so nobody can sign in. The first one is created with a link."
    >
      <Stack>
        <Text component="ol" size="sm" className="steps">
          <li>
            Look where <code>rollcall serve</code> was started: in its terminal, or in the log of its container or
            system service. It has printed a link that begins with <code>{location.origin}/set-up#</code>.
          </li>
          <li>Open the link. It works once, for 24 hours.</li>
        </Text>
        <Fold label="The link is lost or does not work any more">
          <Stack>
            <Text size="sm">
              Stop <code>rollcall serve</code> and start it again: it prints a new link whenever it starts without an
              account. Or create the account on that machine, without a link:
            </Text>
            <CopyBlock label="In a terminal" value={COMMAND} />
          </Stack>
        </Fold>
      </Stack>
    </CentredPage>
  );
}
