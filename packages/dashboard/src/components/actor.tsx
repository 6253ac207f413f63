import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Environment } from '#contract/environments.ts';
import { actorText } from '../labels.ts';

interface ActorProps {
  name: string;
  /** The present name of the API key, if it was one and there is a record of it. */
  keyName: string | null | undefined;
  environment: Environment | null;
}

/** Who did something. The name of an API key leads to its page, and keys with the same name are told apart by the id. */
export function Actor({ name, keyName, environment }: ActorProps) {
  const text = actorText(name, keyName);
  if (!keyName || !environment) return text;
  return (
    <Anchor
      inherit
      underline="always"
      title={name}
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => (
        <Link to="/$environment/settings/api-credentials/$keyId" params={{ environment, keyId: name }} {...props} />
      )}
    >
      {text}
    </Anchor>
  );
}
