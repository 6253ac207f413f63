export type { ClientStatus, ClientType } from '../../../domain/clients/client.ts';
export { CORRECTED_ROWS_OF, SAMPLE_CLIENTS } from '../../../domain/clients/import-names.ts';
export { UNDONE } from '../../../domain/clients/many-clients.ts';
export type { RequestStatus } from '../../../domain/clients/request-status.ts';
export { type ClientDetail, type ClientRecord, type ClientsPage, EventFields } from './clients.ts';
export type { CountedGroup, GroupList } from './groups.ts';
export type { NewClientsRecord, OverviewRecord } from './overview.ts';
export type { ViewFilters, ViewRecord } from './views.ts';
export { withoutAccents } from './words.ts';
