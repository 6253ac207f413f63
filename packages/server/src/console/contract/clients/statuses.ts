// Without any schema, because the navigation of the dashboard needs it.
export { TRANSITIONS, WAITING_STATUSES } from '../../../domain/clients/request-status.ts';
