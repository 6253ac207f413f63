// Forms are checked by one function, on the server and in the browser.
export { type FieldProblem, problemsOf } from '../../domain/check-schema.ts';
