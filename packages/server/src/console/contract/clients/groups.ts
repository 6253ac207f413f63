import { type Static, Type } from 'typebox';
import { GROUP_NAME_MAX_LENGTH } from '../../../domain/clients/group.ts';
import { Form, Time } from '../fields.ts';

export { GROUP_NAME_MAX_LENGTH };

export const GroupForm = Form({ group_name: Type.String({ minLength: 1, maxLength: GROUP_NAME_MAX_LENGTH }) });

/** The group into which another one is merged. A group with many clients is merged in parts, until no clients are left. */
export const MergeForm = Form({
  into_token: Type.String({ minLength: 1, maxLength: GROUP_NAME_MAX_LENGTH }),
  /** Whether an earlier part has been merged. */
  continues: Type.Optional(Type.Boolean()),
});

export const MergeAnswer = Form({ moved: Type.Integer(), left: Type.Integer() });
export type MergeAnswer = Static<typeof MergeAnswer>;

export const GroupRecord = Form({ group_token: Type.String(), group_name: Type.String(), created_at: Time });

export const StatusCounts = Form({
  requested: Type.Integer(),
  accepted: Type.Integer(),
  pending: Type.Integer(),
  completed: Type.Integer(),
  declined: Type.Integer(),
});
export type StatusCounts = Static<typeof StatusCounts>;

export const CountedGroup = Form({ ...GroupRecord.properties, clients: Type.Integer(), by_status: StatusCounts });
export type CountedGroup = Static<typeof CountedGroup>;

export const GroupList = Form({ groups: Type.Array(CountedGroup) });
export type GroupList = Static<typeof GroupList>;
