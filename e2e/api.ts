export interface Answer {
  status: number;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a black-box test reads whatever comes back
  data: any;
}

export async function exchange(address: string, apiKey: string): Promise<Answer> {
  return get(`${address}/api/v1/generate-access-token/`, { 'api-key': apiKey });
}

export async function list(address: string, token: string, query = ''): Promise<Answer> {
  return get(`${address}/api/v1/clients-list/${query}`, { authorization: `Bearer ${token}` });
}

async function get(url: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { headers });
  const { message, data } = (await response.json()) as Answer;
  return { status: response.status, message, data };
}
