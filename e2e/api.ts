import { type ClientsPage, type PageRequest, Rollcall, RollcallError } from '../packages/client/src/index.ts';

/** Of the token and of the page, whichever was asked for. */
type AnswerData = ClientsPage & { access_token: string };

export interface Answer {
  status: number;
  message: string;
  /** What a success holds; after a failure there is nothing in it to read. */
  data: AnswerData;
}

// Asked through the client package, without its retries: a test must see every failure that a caller could.
const maxRetries = 0;

export function exchange(address: string, apiKey: string): Promise<Answer> {
  const token = new Rollcall({ baseUrl: address, apiKey, maxRetries }).token();
  return answerOf(token.then((access_token) => ({ access_token })));
}

export function list(address: string, accessToken: string, request?: PageRequest): Promise<Answer> {
  return answerOf(new Rollcall({ baseUrl: address, accessToken, maxRetries }).clients.page(request));
}

/** A call's outcome as the service said it. What is not an answer, a lost connection say, stays an error. */
async function answerOf(call: Promise<Partial<AnswerData>>): Promise<Answer> {
  try {
    return { status: 200, message: '', data: (await call) as AnswerData };
  } catch (error) {
    if (!(error instanceof RollcallError && error.status !== undefined && error.status >= 400)) throw error;
    return { status: error.status, message: error.message, data: {} as AnswerData };
  }
}
