import { Type } from 'typebox';
import { addSampleIn } from '../../domain/clients/sample-clients.ts';
import { type ApiRoute, defineApiRoute, NO_PARAMETERS } from '../define-route.ts';
import { answerWrite, successAnswerOf, WRITE_HEADERS, WRITING_FAILURES, type WriteDeps } from './answer-write.ts';

/** All are added in one transaction, for which other changes wait. */
const CLIENTS_MAX = 1000;
const GROUPS_MAX = 100;

const GivenSample = Type.Object(
  {
    clients: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: CLIENTS_MAX,
        default: 250,
        description: 'How many clients to add.',
        examples: [250],
      }),
    ),
    groups: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: GROUPS_MAX,
        default: 6,
        description: 'How many groups to divide them into.',
        examples: [6],
      }),
    ),
  },
  { title: 'GivenSample', additionalProperties: false },
);

const AddedSample = Type.Object(
  { added: Type.Integer({ description: 'How many clients were added.', examples: [250] }) },
  { title: 'AddedSample', additionalProperties: false },
);

/** Exists in the sandbox only: production has no clients that do not exist. */
export const addSamplesRoute = (deps: WriteDeps): ApiRoute =>
  defineApiRoute({
    methods: ['POST'],
    path: '/api/v1/sandbox/samples/',
    operationId: 'addSamples',
    summary: 'Add sample clients',
    description:
      'Adds realistic sample clients, spread over the past year, to the sandbox. Each request adds other clients. In production, this address does not exist.',
    access: { scope: 'clients:write' },
    query: NO_PARAMETERS,
    body: GivenSample,
    data: AddedSample,
    status: 201,
    requestHeaders: WRITE_HEADERS,
    others: WRITING_FAILURES,
    handle: (context) =>
      answerWrite(deps, context, async (change, until) => {
        const { clients = 250, groups = 6 } = context.body;
        const { workspaceId } = context;
        const added = await addSampleIn(change, { clients, groups, workspaceId, until });
        return { answer: successAnswerOf({ added }, 201) };
      }),
  });
