import { useQuery } from '@tanstack/react-query';
import type { Role } from '#contract/members/index.ts';
import { AcceptInvitationForm } from '#contract/members/members.ts';
import { callConsole } from '../api.ts';
import { CentredPage } from '../components/centred-page.tsx';
import { ROLE_LABELS } from '../labels.ts';
import { ChoosePasswordForm } from './choose-password-form.tsx';
import { LinkContent } from './link-content.tsx';
import { tokenFromUrl } from './one-time-token.ts';

interface InvitationPreview {
  email: string;
  role: Role;
  account_name: string;
}

export function InvitationPage() {
  const token = tokenFromUrl();
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => callConsole<InvitationPreview>('POST', '/invitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <CentredPage
      title={preview.data ? `Join ${preview.data.account_name}` : 'Your invitation'}
      description={
        preview.data &&
        `Your role will be ${ROLE_LABELS[preview.data.role]}. To join, choose the password with which you will sign in to this account.`
      }
    >
      <LinkContent query={preview}>
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
      </LinkContent>
    </CentredPage>
  );
}
