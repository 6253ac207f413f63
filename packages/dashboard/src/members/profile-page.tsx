import { Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Loaded } from '../components/loaded.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { profileQuery, sessionQuery } from '../queries.ts';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const profile = useQuery(profileQuery);
  return (
    <>
      <PageHeader title="Profile" description={`${session.email}, ${session.role} of ${session.account_name}`} />
      <Loaded query={profile}>
        {({ sessions, has_second_factor: hasSecondFactor }) => (
          <Stack gap="lg">
            <PasswordSection hasSecondFactor={hasSecondFactor} />
            <SecondFactorSection hasSecondFactor={hasSecondFactor} />
            <SessionsSection sessions={sessions} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
