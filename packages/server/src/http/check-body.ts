import type { TObject } from 'typebox';
import { checkForm } from '../domain/check-schema.ts';
import { Failure } from '../domain/failure.ts';
import { parseQuery, refuseEmpty } from './query.ts';
import { FORM_TYPE, type RequestBody } from './read-body.ts';
import type { Route } from './route.ts';

/** The body as the route's schema describes it. Refuses it with the first thing that is wrong. */
export function checkBody(schema: TObject, body: RequestBody, bodyType: Route['bodyType'] = 'json'): unknown {
  return bodyType === 'form' ? readForm(schema, body) : checkJson(schema, body.value ?? {});
}

function checkJson(schema: TObject, value: unknown): unknown {
  const { form, problems } = checkForm(schema, value);
  const [first] = problems;
  if (first) throw new Failure('bad_parameter', first.message);
  return form;
}

/** A form is read like a query string: every field must be known, given once, and as its schema says. None may be empty. */
function readForm(schema: TObject, { type, value }: RequestBody): unknown {
  if (type === undefined) return {};
  if (type === FORM_TYPE && typeof value === 'string') {
    refuseEmpty(value, Object.keys(schema.properties));
    return parseQuery(schema, value);
  }
  throw new Failure('bad_parameter', `The body must be a form (${FORM_TYPE}).`);
}
