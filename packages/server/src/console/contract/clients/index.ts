export type { ClientDetail, ClientsPage } from './clients.ts';
export type { GroupList } from './groups.ts';
export type { ArrivalsRecord, OverviewRecord } from './overview.ts';
