import { type TSchema, Type } from 'typebox';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../domain/text.ts';
import { TIME_MAX } from '../../domain/time.ts';

// This folder holds what the dashboard and the console share: the forms that are sent and the records that come back. It
// also runs in the browser, so it must not import anything that exists only on a server.

export const Form = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Name = Type.String({ minLength: 1, maxLength: NAME_MAX_LENGTH });
export const Email = Type.String({ minLength: 1, maxLength: EMAIL_MAX_LENGTH, format: 'email' });
export const Token = Type.String({ minLength: 1, maxLength: 100 });
/** The code of an authenticator app, or a recovery code. */
export const Code = Type.String({ minLength: 6, maxLength: 30 });

/** For routes that answer without data. */
export const NoData = Type.Null();
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);

/**
 * The present name of the API key that did something, if it was one and there is a record of it. Missing in answers of an earlier
 * version, during an upgrade.
 */
export const ByKey = Type.Optional(Nullable(Type.String()));

/** In UTC, with milliseconds. */
export const Time = Type.String({ format: 'date-time' });

/** A time in a query string, from 1970 to the end of 9999, as milliseconds. */
export const Milliseconds = Type.Integer({ minimum: 0, maximum: TIME_MAX });
