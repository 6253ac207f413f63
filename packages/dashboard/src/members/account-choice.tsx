import { Anchor, Button, Stack } from '@mantine/core';
import type { AccountChoice as Choice } from '#contract/members/session.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { FormProblem } from '../components/form-problem.tsx';

interface AccountChoiceProps {
  accounts: readonly Choice[];
  problem: string | undefined;
  /** The account that is being signed in to. */
  sendingTo: number | undefined;
  onChoose(accountId: number): void;
  onBack(): void;
}

/** For somebody who has just shown that they are a member of several accounts. */
export function AccountChoice({ accounts, problem, sendingTo, onChoose, onBack }: AccountChoiceProps) {
  return (
    <CentredPage
      title="Choose an account"
      description="You are a member of several. You can change to another one later."
    >
      <Stack>
        <FormProblem message={problem} />
        {accounts.map(({ account_id: id, name }, index) => (
          <Button
            key={id}
            variant="default"
            fullWidth
            loading={sendingTo === id}
            disabled={sendingTo !== undefined && sendingTo !== id}
            onClick={() => onChoose(id)}
            autoFocus={index === 0}
          >
            {isRepeated(name, accounts) ? `${name} (account ${id})` : name}
          </Button>
        ))}
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          Sign in as somebody else
        </Anchor>
      </Stack>
    </CentredPage>
  );
}

function isRepeated(name: string, accounts: readonly Choice[]): boolean {
  return accounts.filter((each) => each.name === name).length > 1;
}
