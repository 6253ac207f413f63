import { type Static, Type } from 'typebox';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../../domain/clients/client.ts';
import { LIST_ORDERS } from '../../../domain/clients/list-orders.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { VIEW_NAME_MAX_LENGTH } from '../../../domain/clients/saved-view.ts';
import { Form } from '../fields.ts';
import { FILTERED_GROUPS_MAX, SEARCH_MAX_LENGTH } from './clients.ts';

export { VIEW_NAME_MAX_LENGTH };

const Day = Type.String({ format: 'day' });

/** Longer than anybody looks back. */
export const DAYS_MAX = 3660;

export const ViewFilters = Form({
  search: Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_MAX_LENGTH })),
  statuses: Type.Optional(
    Type.Array(Type.Enum([...REQUEST_STATUSES]), { minItems: 1, maxItems: REQUEST_STATUSES.length }),
  ),
  type: Type.Optional(Type.Enum([...CLIENT_TYPES])),
  active: Type.Optional(Type.Enum([...CLIENT_STATUSES])),
  groups: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: FILTERED_GROUPS_MAX })),
  from: Type.Optional(Day),
  until: Type.Optional(Day),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })),
  order: Type.Optional(Type.Enum([...LIST_ORDERS])),
});
export type ViewFilters = Static<typeof ViewFilters>;

const Name = Type.String({ minLength: 1, maxLength: VIEW_NAME_MAX_LENGTH });

export const ViewForm = Form({ name: Name, filters: ViewFilters, is_shared: Type.Boolean() });
export const ChangeViewForm = Form({
  name: Type.Optional(Name),
  filters: Type.Optional(ViewFilters),
  is_shared: Type.Optional(Type.Boolean()),
});

export const ViewRecord = Form({
  view_id: Type.String(),
  name: Type.String(),
  filters: ViewFilters,
  is_shared: Type.Boolean(),
});
export type ViewRecord = Static<typeof ViewRecord>;

export const ViewList = Form({ views: Type.Array(ViewRecord) });
export type ViewList = Static<typeof ViewList>;
