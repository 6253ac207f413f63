import { type Static, Type } from 'typebox';
import { GROUP_NAME_MAX_LENGTH } from '../../../domain/clients/group.ts';
import { Form, Time } from '../fields.ts';

export const GroupForm = Form({ group_name: Type.String({ minLength: 1, maxLength: GROUP_NAME_MAX_LENGTH }) });

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
