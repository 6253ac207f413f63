import { Type } from 'typebox';
import { EXTERNAL_ID_MAX_LENGTH, requireExternalId } from '../../domain/clients/client.ts';
import { type ClientLookup, findClient } from '../../domain/clients/manage-clients.ts';
import { checkClient, putClient, removeClient, updateClient } from '../../domain/clients/write-clients.ts';
import type { ListingCounter } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import { type Answer, emptyAnswer } from '../../http/answer.ts';
import { type ApiContext, type ApiRoute, defineApiRoute, NO_PARAMETERS } from '../define-route.ts';
import {
  answerAdded,
  answerWrite,
  clientAnswer,
  expectedClient,
  IF_MATCH,
  IF_NONE_MATCH,
  mustBeNew,
  successAnswerOf,
  WRITE_HEADERS,
  WRITING_FAILURES,
  type WriteDeps,
} from './answer-write.ts';
import { CLIENT_PATH, ClientRecord, etagOfClient, toClientRecord } from './client-record.ts';
import { withContractMessages } from './contract-messages.ts';
import { findEtag } from './etag.ts';
import { ClientByExternalId, ClientPatch, NewClient, toGivenClient, toGivenPatch, toTime } from './given-client.ts';
import { READING_FAILURES } from './reading-failures.ts';

const ETAG = { ETag: 'The version of the client; send it back in `If-Match` to change this version only.' };
const LOCATION = { Location: 'The path of the new client.' };
const NOT_FOUND = { 404: 'There is no such client.' };
const CHANGED = { 412: 'The client has been changed since the version that `If-Match` names.' };

const REFERENCE = {
  reference_id: Type.String({
    description: 'The reference of the client.',
    examples: ['1769850600000-000000000001'],
  }),
};

export interface WriteClientsDeps extends WriteDeps {
  clients: ClientLookup;
  listings: Pick<ListingCounter, 'count'>;
}

/** Notes that a key was shown one client, also after a change that has changed nothing. */
async function showingClient(
  { listings }: WriteClientsDeps,
  { principal }: Pick<ApiContext, 'principal'>,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const answered = await answer();
  if (principal && answered.status < 400) listings.count(principal, 'client');
  return answered;
}

export const createClientRoute = (deps: WriteClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['POST'],
    path: '/api/v1/clients/',
    operationId: 'createClient',
    summary: 'Create client',
    description: 'Adds a client. If its group already has a client with this email, nothing is changed.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: NewClient,
    data: ClientRecord,
    status: 201,
    requestHeaders: WRITE_HEADERS,
    headers: { ...ETAG, ...LOCATION },
    others: WRITING_FAILURES,
    handle: (context) => answerAdded(deps, context, (now) => checkClient(toGivenClient(context.body), now)),
  });

export const readClientRoute = (deps: WriteClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['GET'],
    path: CLIENT_PATH,
    operationId: 'getClient',
    summary: 'Get client',
    description: 'One client with all of its fields.',
    access: { scope: 'clients:read' },
    query: NO_PARAMETERS,
    data: ClientRecord,
    pathParameters: REFERENCE,
    headers: ETAG,
    others: {
      304: 'The client has not changed since the `ETag` that was sent in `If-None-Match`.',
      ...READING_FAILURES,
      ...NOT_FOUND,
    },
    handle: (context, succeed) =>
      showingClient(deps, context, async () => {
        const reference = context.parameter('reference_id');
        const client = await withContractMessages(() => findClient(deps, context.workspaceId, reference));
        const etag = etagOfClient(client);
        const known = findEtag(context.header('if-none-match'), etag);
        if (known !== undefined) return emptyAnswer(304, ['ETag', known]);
        return succeed(toClientRecord(client), ['ETag', etag]);
      }),
  });

export const updateClientRoute = (deps: WriteClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['PATCH'],
    path: CLIENT_PATH,
    operationId: 'updateClient',
    summary: 'Update client',
    description:
      'Changes the given fields. The request status can only change as the documentation of the statuses says.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: ClientPatch,
    data: ClientRecord,
    pathParameters: REFERENCE,
    requestHeaders: { ...WRITE_HEADERS, ...IF_MATCH },
    headers: ETAG,
    others: { ...WRITING_FAILURES, ...NOT_FOUND, ...CHANGED },
    handle: (context) =>
      showingClient(deps, context, () =>
        answerWrite(deps, context, async (change) => {
          const { reason, ...fields } = context.body;
          const options = { reason, isExpected: expectedClient(context) };
          const reference = context.parameter('reference_id');
          return clientAnswer(await updateClient(change, reference, toGivenPatch(fields), options));
        }),
      ),
  });

export const putClientRoute = (deps: WriteClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['PUT'],
    path: '/api/v1/clients/by-external-id/:external_id/',
    operationId: 'putClientByExternalId',
    summary: 'Create or update client by external id',
    description:
      'Changes the given fields of the client that has this external id, or adds a client with it, for which `email`, `client_name`, `client_type` and a group are needed.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: ClientByExternalId,
    data: ClientRecord,
    pathParameters: {
      external_id: Type.String({
        maxLength: EXTERNAL_ID_MAX_LENGTH,
        description: 'The id in your own system, percent-encoded.',
        examples: ['CRM-1815'],
      }),
    },
    requestHeaders: { ...WRITE_HEADERS, ...IF_MATCH, ...IF_NONE_MATCH },
    headers: ETAG,
    otherStatus: { status: 201, description: 'The client was added.' },
    others: { ...WRITING_FAILURES, ...CHANGED },
    handle: (context) =>
      showingClient(deps, context, () =>
        answerWrite(deps, context, async (change, now) => {
          const externalId = requireExternalId(context.parameter('external_id'));
          if (externalId === null) throw new Failure('bad_parameter', 'external_id must not be empty.');
          const { reason, created_at, ...fields } = context.body;
          const given = { ...toGivenPatch(fields), createdAt: toTime(created_at) };
          const options = { reason, isExpected: expectedClient(context), mustBeNew: mustBeNew(context), now };
          const { added, ...written } = await putClient(change, externalId, given, options);
          return clientAnswer(written, added ? 201 : 200);
        }),
      ),
  });

export const eraseClientRoute = (deps: WriteClientsDeps): ApiRoute =>
  defineApiRoute({
    methods: ['DELETE'],
    path: CLIENT_PATH,
    operationId: 'eraseClient',
    summary: 'Erase client',
    description:
      'Removes the client and all personal data in its history for good, and the saved views of members that are about it.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    data: Type.Null(),
    pathParameters: REFERENCE,
    requestHeaders: { ...WRITE_HEADERS, ...IF_MATCH },
    others: { ...WRITING_FAILURES, ...NOT_FOUND, ...CHANGED },
    handle: (context) =>
      answerWrite(deps, context, async (change) => {
        await removeClient(change, context.parameter('reference_id'), { isExpected: expectedClient(context) });
        return { answer: successAnswerOf(null) };
      }),
  });
