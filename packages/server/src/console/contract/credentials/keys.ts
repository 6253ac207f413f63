import { type Static, Type } from 'typebox';
import { Form, Name, Nullable, Time } from '../fields.ts';

export const CreateKeyForm = Form({ name: Name, expires_at: Type.Optional(Nullable(Time)) });

export const KeyRecord = Form({
  key_id: Type.String(),
  name: Type.String(),
  preview: Type.String(),
  created_at: Time,
  created_by: Nullable(Type.String()),
  last_used_at: Nullable(Time),
  recent_calls: Type.Integer(),
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
});
export type KeyRecord = Static<typeof KeyRecord>;

export const KeyList = Form({ keys: Type.Array(KeyRecord) });

/** The API key itself is sent only this once. */
export const CreatedKey = Form({ key_id: Type.String(), name: Type.String(), api_key: Type.String() });
export type CreatedKey = Static<typeof CreatedKey>;
