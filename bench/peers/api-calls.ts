import { listPath, TOKEN_PATH } from '../measure/workloads.ts';

export interface Page {
  total_count: number;
  total_pages: number;
  results: { reference_id: string; email: string }[];
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

export async function readPage(address: string, token: string, query: string): Promise<Page> {
  const response = await fetch(address + listPath(query), { headers: bearer(token) });
  const body = (await response.json()) as { message: string; data: Page | null };
  if (!body.data) throw new Error(`No page: ${body.message}`);
  return body.data;
}
