import { COLUMNS, type Column, type Fields } from '../domain/clients/client-columns.ts';

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

/** Which field each column of a file probably is, by its name, or null. No field is suggested twice. */
export function suggestFields(columns: readonly string[]): Fields {
  const names = columns.map(plain);
  const fields: (Column | null)[] = columns.map(() => null);
  for (const field of COLUMNS) {
    const place = [field, ...(OTHER_NAMES[field] ?? [])]
      .map((name) => names.indexOf(plain(name)))
      .find((index) => index !== -1 && fields[index] === null);
    if (place !== undefined) fields[place] = field;
  }
  return fields;
}

/** Only letters and digits count: `E-Mail`, `e_mail:` and `Email` are the same. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
