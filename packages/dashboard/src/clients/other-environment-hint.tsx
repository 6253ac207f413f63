import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { otherEnvironment, useEnvironment } from '../environment.ts';
import { ENVIRONMENT_NAMES, SWITCH_LABELS } from '../labels.ts';
import { overviewQuery } from './queries.ts';

interface OtherEnvironmentHintProps {
  /** The page to open in the other environment. */
  to: '/$environment/overview' | '/$environment/clients';
}

/** Says in an environment without clients that the other environment of the account has some. */
export function OtherEnvironmentHint({ to }: OtherEnvironmentHintProps) {
  const other = otherEnvironment(useEnvironment());
  const { data } = useQuery(overviewQuery(other));
  if (data === undefined || data.clients === 0) return null;
  return (
    <Text span inherit display="block" mt="xs">
      This account has clients in {ENVIRONMENT_NAMES[other]}.{' '}
      <Anchor inherit renderRoot={(props) => <Link to={to} params={{ environment: other }} {...props} />}>
        {SWITCH_LABELS[other]}
      </Anchor>
    </Text>
  );
}
