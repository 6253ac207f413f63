import { useQuery } from '@tanstack/react-query';
import { AcceptInvitationForm } from '#contract/members/members.ts';
import { call } from '../api.ts';
import { Entrance } from '../components/entrance.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ChoosePasswordForm } from './choose-password-form.tsx';
import { tokenOfAddress } from './one-time-token.ts';

interface Preview {
  email: string;
  role: string;
  account_name: string;
}

export function InvitationPage() {
  const token = tokenOfAddress();
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call<Preview>('POST', '/invitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance
      title={preview.data ? `Join ${preview.data.account_name}` : 'Your invitation'}
      lead={preview.data && `You were invited as ${preview.data.role}. Choose a password and you are in.`}
    >
      <Loaded query={preview} lines={3}>
        {({ email }) => (
          <ChoosePasswordForm
            schema={AcceptInvitationForm}
            path="/invitation/acceptance"
            token={token}
            email={email}
            passwordLabel="Password"
            submitLabel="Join"
          />
        )}
      </Loaded>
    </Entrance>
  );
}
