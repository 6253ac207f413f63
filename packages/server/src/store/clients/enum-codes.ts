import type { ClientStatus, ClientType } from '../../domain/clients/client.ts';
import type { EventKind } from '../../domain/clients/client-event.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';

// Enumerations are stored as small integers, because four of the eight list indexes contain each of them and a byte takes
// less space than a word. A code is never reused.

export const REQUEST_STATUS = codes<RequestStatus>({
  pending: 1,
  declined: 2,
  completed: 3,
  accepted: 4,
  requested: 5,
});

export const CLIENT_TYPE = codes<ClientType>({ individual: 1, company: 2 });

export const CLIENT_STATUS = codes<ClientStatus>({ active: 1, inactive: 2 });

export const EVENT_KIND = codes<EventKind>({ added: 1, changed: 2, erased: 3 });

interface Codes<Word extends string> {
  encode(word: Word): number;
  decode(code: number): Word;
  has(code: number): boolean;
}

function codes<Word extends string>(codeOf: Record<Word, number>): Codes<Word> {
  const wordOf: Word[] = [];
  for (const word of Object.keys(codeOf) as Word[]) wordOf[codeOf[word]] = word;
  return {
    encode: (word) => codeOf[word],
    has: (code) => wordOf[code] !== undefined,
    decode: (code) => {
      const word = wordOf[code];
      if (word === undefined) throw new Error(`The database contains an unknown code: ${code}.`);
      return word;
    },
  };
}
