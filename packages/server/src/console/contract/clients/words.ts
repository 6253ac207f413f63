// Words are compared in one way, on the server and where the browser highlights what was found.
export { withoutAccents, wordsOf } from '../../../domain/clients/words.ts';
