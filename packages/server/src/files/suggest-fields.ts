import { CLIENT_TYPES } from '../domain/clients/client.ts';
import { COLUMNS, type Column, type Fields } from '../domain/clients/client-columns.ts';
import { REQUEST_STATUSES } from '../domain/clients/request-status.ts';
import { fold, problemWithEmail } from '../domain/text.ts';

/** What other programs call our columns, the likeliest name first. Names of theirs that mean nothing here are not in it. */
const OTHER_NAMES: Partial<Record<Column, readonly string[]>> = {
  email: [
    'e-mail address',
    'mail',
    'client email',
    'customer email',
    'contact email',
    'work email',
    'emailadresse',
    'mailadresse',
    'courriel',
    'courrier électronique',
    'adresse électronique',
    'correo electrónico',
    'correo',
  ],
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
    'kundenname',
    'vollständiger name',
    'kunde',
    'mandant',
    'firma',
    'firmenname',
    'nom complet',
    'nom client',
    'nom',
    'raison sociale',
    'société',
    'nombre completo',
    'nombre cliente',
    'nombre',
    'razón social',
    'cliente',
    'empresa',
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
    'kundentyp',
    'kundenart',
    'typ',
    'art',
    'kategorie',
    'type client',
    'catégorie',
    'tipo cliente',
    'tipo',
    'categoría',
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
    'kundengruppe',
    'gruppe',
    'abteilung',
    'niederlassung',
    'filiale',
    'groupe',
    'agence',
    'grupo',
    'departamento',
    'sucursal',
  ],
  request_status: [
    'status',
    'onboarding status',
    'request state',
    'onboarding state',
    'state',
    'stage',
    'bearbeitungsstand',
    'statut',
    'état',
    'estado',
  ],
  client_status: ['customer status', 'account status', 'kundenstatus', 'statut client', 'estado cliente'],
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
    'angelegt am',
    'angelegt',
    'erstellt am',
    'erstellt',
    'erstellungsdatum',
    'hinzugefügt am',
    'kunde seit',
    'date création',
    'créé',
    'ajouté',
    'client depuis',
    'fecha creación',
    'fecha alta',
    'creado',
    'añadido',
    'cliente desde',
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
    'kundennummer',
    'kunden-nr',
    'kunden-id',
    'numéro client',
    'identifiant client',
    'identifiant',
    'número cliente',
    'código cliente',
    'id cliente',
    'referenz',
    'référence',
    'referencia',
  ],
};

/** Words that may stand in a name and say nothing about what the column is: `E-Mail Adresse`, `Date de création`. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'address adresse direccion the of der des de du le la les el del los'.split(' '),
);

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
  const [whole, short] = [columns.map(plain), columns.map(plainWithoutEmptyWords)];
  const fields: (Column | null)[] = columns.map(() => null);
  for (const field of COLUMNS) {
    const known = [field, ...(OTHER_NAMES[field] ?? [])].map(plain);
    const place = [whole, short]
      .flatMap((names) => known.map((name) => names.indexOf(name)))
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

/** Only letters without accents and digits count: `E-Mail`, `e_mail:` and `Émail` are the same. */
function plain(name: string): string {
  return wordsOf(name).join('');
}

function plainWithoutEmptyWords(name: string): string {
  return wordsOf(name)
    .filter((word) => !EMPTY_WORDS.has(word))
    .join('');
}

function wordsOf(name: string): string[] {
  return (
    name
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
