import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderAccounts, SignInAnswer } from '#contract/members/session.ts';
import { ApiError, callConsole } from '../api.ts';
import { loadPage } from '../load-page.ts';
import { AccountChoice } from './account-choice.tsx';

/** After the sign-in service has named somebody who is a member of several accounts. */
export function ProviderAccountPage() {
  const { data, error } = useQuery({
    queryKey: ['provider', 'accounts'],
    queryFn: () => callConsole<ProviderAccounts>('GET', '/provider/accounts'),
  });
  const [sendingTo, setSendingTo] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const choose = async (accountId: number) => {
    setSendingTo(accountId);
    setProblem(undefined);
    try {
      const form = { account_id: accountId };
      const { signed_in: signedIn } = await callConsole<SignInAnswer>('POST', '/provider/account', form);
      return loadPage(signedIn ? '/' : '/sign-in?step=code', { replace: true });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setProblem(failure.message);
    }
    setSendingTo(undefined);
  };
  return (
    <AccountChoice
      accounts={data?.accounts ?? []}
      problem={problem ?? error?.message}
      sendingTo={sendingTo}
      onChoose={choose}
      onBack={() => loadPage('/sign-in', { replace: true })}
    />
  );
}
