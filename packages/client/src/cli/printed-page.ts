import type { ClientsPage } from '../generated/api.ts';

/** The part of a page that is printed. */
export type PrintedPage = Pick<ClientsPage, 'results'>;
