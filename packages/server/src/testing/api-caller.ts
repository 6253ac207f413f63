import type { ApiKey, Scope } from '../domain/credentials/index.ts';
import { createKey } from '../domain/credentials/manage-keys.ts';
import type { Environment } from '../domain/environment.ts';
import { aWorkspace, TESTER } from './builders.ts';
import { type Answer, send, type TestApi, TOKEN_PATH } from './test-api.ts';

/** The data of an answer, as far as tests use it by name. */
export interface AnsweredData extends Record<string, unknown> {
  reference_id: string;
  group_token: string;
  results: { group_token: string }[];
}

/** A program of an account of its own, with an API key. */
export interface ApiCaller {
  workspaceId: number;
  accountId: number;
  key: ApiKey;
  /** Gets a new access token. */
  renew(): Promise<void>;
  /** The header that `call` sends. */
  authorization(): string;
  call: Call;
  /** Calls another node on the same database. */
  callOf(node: TestApi): Call;
}

/** Sends text and bytes as they are, and everything else as JSON. */
export type Call = (
  method: string,
  path: string,
  sent?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer & { data: AnsweredData }>;

export async function openCaller(
  api: TestApi,
  email: string,
  {
    scopes = ['clients:read', 'clients:write'],
    environment = 'production',
  }: { scopes?: Scope[]; environment?: Environment } = {},
): Promise<ApiCaller> {
  const { store, clock } = api;
  const { accountId } = await aWorkspace(store, clock, email);
  const workspaceId = await store.accounts.workspaceId(accountId, environment);
  const by = { workspaceId, actor: TESTER };
  const { key, secret } = await createKey({ ...store, clock }, by, { environment, name: 'writer', scopes });
  let authorization = '';
  const renew = async () => {
    const { body } = await api.get(TOKEN_PATH, { 'api-key': secret }, environment);
    authorization = `Bearer ${body?.data?.access_token}`;
  };
  await renew();
  const callOf =
    (node: TestApi): Call =>
    async (method, path, sent, headers = {}) => {
      const answer = await send(node.address[environment] + path, {
        method,
        headers: { authorization, ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(sent !== undefined && { body: bodyOf(sent) }),
      });
      return { ...answer, data: (answer.body?.data ?? {}) as unknown as AnsweredData };
    };
  return { workspaceId, accountId, key, renew, authorization: () => authorization, call: callOf(api), callOf };
}

function bodyOf(sent: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof sent === 'string' || sent instanceof Uint8Array
    ? (sent as Uint8Array<ArrayBuffer>)
    : JSON.stringify(sent);
}
