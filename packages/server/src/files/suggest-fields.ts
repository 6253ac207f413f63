import { CLIENT_TYPES } from '../domain/clients/client.ts';
import { COLUMNS, type Column, type Fields } from '../domain/clients/client-columns.ts';
import { REQUEST_STATUSES } from '../domain/clients/request-status.ts';
import { fold, problemWithEmail } from '../domain/text.ts';

/** What other programs call our columns, the likeliest name first. Names of theirs that mean nothing here are not in it. */
const OTHER_NAMES: Partial<Record<Column, readonly string[]>> = {
  email: ['e-mail address', 'mail', 'mail address', 'client email', 'customer email', 'contact email', 'work email'],
  client_name: [
    'name',
    'full name',
    'client',
    'customer name',
    'customer',
    'display name',
    'contact name',
    'company name',
    'company',
    'organisation',
    'organization',
    'business name',
    'legal name',
    'contact',
  ],
  client_type: [
    'type',
    'kind',
    'customer type',
    'customer kind',
    'client kind',
    'entity type',
    'legal form',
    'category',
  ],
  group_name: [
    'group',
    'client group',
    'customer group',
    'segment',
    'team',
    'department',
    'branch',
    'portfolio',
    'office',
  ],
  request_status: ['status', 'onboarding status', 'request state', 'onboarding state', 'state', 'stage'],
  client_status: ['customer status', 'account status'],
  created_at: [
    'created',
    'created on',
    'created date',
    'date created',
    'creation date',
    'added',
    'added on',
    'date added',
    'client since',
    'customer since',
    'signed up',
    'sign-up date',
  ],
  external_id: [
    'client id',
    'customer id',
    'id',
    'client number',
    'customer number',
    'client no',
    'customer no',
    'crm id',
    'account id',
    'reference',
    'ref',
  ],
};

/** What is recognised by its values, where the names of the columns say nothing. */
const BY_VALUES: Partial<Record<Column, (value: string) => boolean>> = {
  email: (value) => problemWithEmail(value) === undefined,
  client_type: (value) => (CLIENT_TYPES as readonly string[]).includes(fold(value)),
  request_status: (value) => (REQUEST_STATUSES as readonly string[]).includes(fold(value)),
};

/**
 * Which field each column of a file probably is, by its name or by the values in its first rows, or null. No field is suggested
 * twice.
 */
export function suggestFields(columns: readonly string[], rows: readonly { cells: readonly string[] }[] = []): Fields {
  const names = columns.map(plain);
  const fields: (Column | null)[] = columns.map(() => null);
  for (const field of COLUMNS) {
    const place = [field, ...(OTHER_NAMES[field] ?? [])]
      .map((name) => names.indexOf(plain(name)))
      .find((index) => index !== -1 && fields[index] === null);
    if (place !== undefined) fields[place] = field;
  }
  for (const [field, isOne] of Object.entries(BY_VALUES)) {
    if (fields.includes(field as Column)) continue;
    const place = fields.findIndex((known, index) => {
      const values = rows.flatMap(({ cells }) => cells[index]?.trim() || []);
      return known === null && values.length > 0 && values.every(isOne);
    });
    if (place !== -1) fields[place] = field as Column;
  }
  return fields;
}

/** Only letters and digits count: `E-Mail`, `e_mail:` and `Email` are the same. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
