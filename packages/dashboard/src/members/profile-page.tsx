import { Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { ROLE_LABELS } from '../labels.ts';
import { sessionQuery } from '../session.ts';
import { PasswordSection } from './password-section.tsx';
import { profileQuery } from './queries.ts';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const profile = useQuery(profileQuery);
  return (
    <>
      <PageHeader
        title="Profile"
        description={`${session.email}, ${ROLE_LABELS[session.role]} of ${session.account_name}`}
      />
      <QueryContent query={profile}>
        {({
          sessions,
          passkeys,
          has_app: hasApp,
          has_second_factor: hasSecondFactor,
          recovery_codes_left: codesLeft,
        }) => (
          <Stack gap="lg">
            <PasswordSection hasSecondFactor={hasSecondFactor} />
            <SecondFactorSection hasApp={hasApp} passkeys={passkeys} codesLeft={codesLeft} />
            <SessionsSection browsers={sessions} />
          </Stack>
        )}
      </QueryContent>
    </>
  );
}
