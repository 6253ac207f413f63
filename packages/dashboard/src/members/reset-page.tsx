import { useQuery } from '@tanstack/react-query';
import { ResetPasswordForm, type ResetPreview } from '#contract/members/reset.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { ChoosePasswordForm } from './choose-password-form.tsx';
import { LinkContent } from './link-content.tsx';
import { tokenFromUrl } from './one-time-token.ts';

export function ResetPage() {
  const token = tokenFromUrl();
  const preview = useQuery({
    queryKey: ['reset', token],
    queryFn: () => callConsole<ResetPreview>('POST', '/reset', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <CentredPage
      title="Set a new password"
      description={
        preview.data &&
        `For ${preview.data.account_name}. This signs out all your browsers${preview.data.removes_second_factor ? ' and removes your second factor, if you have one' : ''}.`
      }
    >
      <LinkContent query={preview}>
        {({ email, removes_second_factor: removesSecondFactor }) => (
          <ChoosePasswordForm
            schema={ResetPasswordForm}
            path="/reset/password"
            token={token}
            email={email}
            passwordLabel="New password"
            // With a second factor, a code is asked for on the next page.
            submitLabel={removesSecondFactor ? 'Set password and sign in' : 'Set password'}
          />
        )}
      </LinkContent>
    </CentredPage>
  );
}
