import { listPath, TOKEN_PATH } from '../measure/workloads.ts';

export interface Page {
  total_count: number;
  total_pages: number;
  results: { reference_id: string; email: string; group_token: string; created_at: string }[];
}

export async function exchange(address: string, apiKey: string): Promise<string> {
  const response = await fetch(address + TOKEN_PATH, { headers: { 'api-key': apiKey } });
  const body = (await response.json()) as { message: string; data: { access_token: string } | null };
  if (!body.data) throw new Error(`No token: ${body.message}`);
  return body.data.access_token;
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export function readPage(address: string, token: string, query: string): Promise<Page> {
  return readAnswer(address, token, listPath(query));
}

export async function readAnswer<Data>(address: string, token: string, path: string): Promise<Data> {
  const response = await fetch(address + path, { headers: bearer(token) });
  const body = (await response.json()) as { message: string; data: Data | null };
  if (!body.data) throw new Error(`${path.slice(0, 100)} answered ${response.status}: ${body.message}`);
  return body.data;
}
