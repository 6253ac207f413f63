import { type TSchema, Type } from 'typebox';

/** The one shape of every JSON body: the status again, a message, and the data, which is null on failure. */
export interface Envelope<Data> {
  status_code: number;
  message: string;
  data: Data;
}

export const FailureEnvelope = Type.Object(
  {
    status_code: Type.Integer({ description: 'The HTTP status again.' }),
    message: Type.String({ description: 'What went wrong and what to do about it.' }),
    data: Type.Null(),
  },
  { title: 'Failure', additionalProperties: false },
);

/** The schema of a success with this data. */
export function envelopeSchema(data: TSchema): TSchema {
  return Type.Object(
    {
      status_code: Type.Integer({ description: 'The HTTP status again.', examples: [200] }),
      message: Type.String({ examples: ['Success'] }),
      data,
    },
    { additionalProperties: false },
  );
}

export function successBody<Data>(data: Data, status = 200): Envelope<Data> {
  return { status_code: status, message: 'Success', data };
}

export function failureBody(status: number, message: string): Envelope<null> {
  return { status_code: status, message, data: null };
}
