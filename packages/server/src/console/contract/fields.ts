import { type TSchema, Type } from 'typebox';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../domain/text.ts';
import { TIME_MAX } from '../../domain/time.ts';

// What dashboard and console share lives in this folder: forms that are sent and records that come back. It is read by
// the browser too, so it imports nothing that only a server has.

export const Form = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Name = Type.String({ minLength: 1, maxLength: NAME_MAX_LENGTH });
export const Email = Type.String({ minLength: 1, maxLength: EMAIL_MAX_LENGTH, format: 'email' });
export const Token = Type.String({ minLength: 1, maxLength: 100 });
export const Code = Type.String({ minLength: 6, maxLength: 12 });

export const Nothing = Type.Null();
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);

/** UTC with milliseconds, as everywhere. */
export const Time = Type.String({ format: 'date-time' });

/** A time in an address, from 1970 to the end of 9999 like every other. */
export const Milliseconds = Type.Integer({ minimum: 0, maximum: TIME_MAX });
