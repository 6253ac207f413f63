import { type ClientsPage, type PageRequest, Rollcall, RollcallError } from '../packages/client/src/index.ts';

/** The data of the token exchange or of a page, depending on the request. */
type AnswerData = ClientsPage & { access_token: string };

export interface ApiAnswer {
  status: number;
  message: string;
  /** The data of a successful response. Empty after a failure. */
  data: AnswerData;
}

// The client package is used without its retries, because a test must see every failure.
const maxRetries = 0;

export function exchange(address: string, apiKey: string): Promise<ApiAnswer> {
  const token = new Rollcall({ baseUrl: address, apiKey, maxRetries }).token();
  return toAnswer(token.then((access_token) => ({ access_token })));
}

export function list(address: string, accessToken: string, request?: PageRequest): Promise<ApiAnswer> {
  return toAnswer(new Rollcall({ baseUrl: address, accessToken, maxRetries }).clients.page(request));
}

/** The response of the service, also if it is an error. A lost connection is still thrown. */
async function toAnswer(call: Promise<Partial<AnswerData>>): Promise<ApiAnswer> {
  try {
    return { status: 200, message: '', data: (await call) as AnswerData };
  } catch (error) {
    if (!(error instanceof RollcallError && error.status !== undefined && error.status >= 400)) throw error;
    return { status: error.status, message: error.message, data: {} as AnswerData };
  }
}
