/** The columns that `wordsOfClient` needs. */
export const SEARCHED_COLUMNS = ['clients.name', 'clients.email', 'clients.reference_id'] as const;
