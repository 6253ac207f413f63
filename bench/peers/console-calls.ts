/** Signs in to the dashboard and returns the headers of further requests. */
export async function signIn(dashboard: string, email: string, password: string): Promise<Record<string, string>> {
  const response = await fetch(`${dashboard}/console/session`, {
    method: 'POST',
    headers: { origin: dashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (!response.ok || !cookie) throw new Error(`Signing in was answered with ${response.status}.`);
  return { cookie: cookie.split(';')[0] ?? '' };
}

export interface FoundClients {
  total_count: number;
  total_is_exact: boolean;
}

/** Searches the production clients, as the page of the dashboard does. */
export async function searchClients(
  dashboard: string,
  headers: Record<string, string>,
  query: Record<string, string>,
): Promise<FoundClients> {
  const response = await fetch(`${dashboard}/console/production/clients?${new URLSearchParams(query)}`, { headers });
  const body = (await response.json()) as { message: string; data: FoundClients | null };
  if (!body.data) throw new Error(`The search was answered with ${response.status}: ${body.message}`);
  return body.data;
}
