import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { otherEnvironment, useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES, SWITCH_LABELS } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { overviewQuery } from './queries.ts';

interface OtherEnvironmentHintProps {
  /** The page to open in the other environment. */
  to: '/$environment/overview' | '/$environment/clients';
}

/** Says in an environment without clients that the other environment of the account has some, or may have samples. */
export function OtherEnvironmentHint({ to }: OtherEnvironmentHintProps) {
  const other = otherEnvironment(useEnvironment());
  const canEdit = useCanEdit();
  const { data } = useQuery(overviewQuery(other));
  if (data === undefined) return null;
  const hasClients = data.clients > 0;
  if (!hasClients && (other !== 'sandbox' || !canEdit)) return null;
  return (
    <Text span inherit display="block" mt="xs">
      {hasClients
        ? `This account has clients in ${ENVIRONMENT_NAMES[other]}.`
        : 'To try Rollcall first, you can add sample clients in the sandbox.'}{' '}
      <Anchor
        inherit
        renderRoot={(props) => (
          // Samples are added on the overview.
          <Link to={hasClients ? to : '/$environment/overview'} params={{ environment: other }} {...props} />
        )}
      >
        {SWITCH_LABELS[other]}
      </Anchor>
    </Text>
  );
}
