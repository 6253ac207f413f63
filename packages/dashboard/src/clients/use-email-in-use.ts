import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../environment.ts';
import { clientsQuery } from './queries.ts';

/** A search begins when the member has stopped typing for this long. */
const TYPING_MS = 300;

/** Anything shorter is found in the emails of many clients. */
const WHOLE_EMAIL = /^\S+@\S+$/;

/**
 * Says which client has the email already, if one has. It is no mistake when somebody is a client in two groups, but often the same
 * client is added twice.
 */
export function useEmailInUse(email: string): string | undefined {
  const typed = email.trim();
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const query = useQuery({
    ...clientsQuery(useEnvironment(), { search }),
    enabled: WHOLE_EMAIL.test(search),
  });
  const [client] = query.data?.results.filter((each) => each.email.toLowerCase() === typed.toLowerCase()) ?? [];
  return client && `${client.client_name} in the group “${client.group_name}” has this email already.`;
}
