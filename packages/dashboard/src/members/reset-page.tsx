import { useQuery } from '@tanstack/react-query';
import { ResetPasswordForm, type ResetPreview } from '#contract/members/reset.ts';
import { call } from '../api.ts';
import { Entrance } from '../components/entrance.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ChoosePasswordForm } from './choose-password-form.tsx';
import { tokenOfAddress } from './one-time-token.ts';

export function ResetPage() {
  const token = tokenOfAddress();
  const preview = useQuery({
    queryKey: ['reset', token],
    queryFn: () => call<ResetPreview>('POST', '/reset', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance
      title="Set a new password"
      lead={
        preview.data &&
        `For ${preview.data.account_name}. A second factor is removed, and every browser that is signed in is signed out.`
      }
    >
      <Loaded query={preview} lines={3}>
        {({ email }) => (
          <ChoosePasswordForm
            schema={ResetPasswordForm}
            path="/reset/password"
            token={token}
            email={email}
            passwordLabel="New password"
            submitLabel="Set the password and sign in"
          />
        )}
      </Loaded>
    </Entrance>
  );
}
