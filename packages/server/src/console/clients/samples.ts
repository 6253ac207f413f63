import { randomInt } from 'node:crypto';
import type { ImportDeps } from '../../domain/clients/import-clients.ts';
import { addSample } from '../../domain/clients/sample-clients.ts';
import { Failure } from '../../domain/failure.ts';
import { AddedSample } from '../contract/clients/overview.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

const CLIENTS = 250;
const GROUPS = 6;

/** For whoever begins, in the sandbox only: production has no clients that do not exist. */
export const samplesRoute = (deps: ImportDeps): ConsoleRoute =>
  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/samples',
    role: 'admin',
    data: AddedSample,
    handle: async ({ actor, workspaceId, environment }) => {
      if (environment !== 'sandbox') throw new Failure('not_found', 'Sample clients exist in the sandbox only.');
      const request = { workspaceId, clients: CLIENTS, groups: GROUPS, seed: randomInt(2 ** 32) };
      return { added: await addSample(deps, actor, request) };
    },
  });
