import { InvalidArgumentError, Option } from 'commander';
import { isReferenceId } from '../../domain/clients/reference-id.ts';
import { isRequestStatus, REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { isUuid } from '../../domain/text.ts';
import { parseInstant } from '../../domain/time.ts';

// The filters of a list, as the API has them.

export const requestStatusOption = () =>
  new Option('--request-status <list>', `only these request statuses: ${REQUEST_STATUSES.join(', ')}`).argParser(
    (text) =>
      valuesOf(text).map((each) => {
        if (isRequestStatus(each.toLowerCase())) return each.toLowerCase();
        throw new InvalidArgumentError(`Allowed are ${REQUEST_STATUSES.join(', ')}, separated by commas.`);
      }),
  );

export const groupTokenOption = () =>
  new Option('--group-token <list>', 'only the groups with these tokens, separated by commas').argParser((text) =>
    valuesOf(text).map((each) => {
      if (isUuid(each)) return each.toLowerCase();
      throw new InvalidArgumentError(`${each} is not the token of a group, which is a UUID.`);
    }),
  );

export const referenceIdOption = () =>
  new Option('--reference-id <list>', 'only the clients with these references, separated by commas').argParser((text) =>
    valuesOf(text).map((each) => {
      if (isReferenceId(each)) return each;
      throw new InvalidArgumentError(`${each} is not a reference.`);
    }),
  );

export const externalIdOption = () =>
  new Option('--external-id <list>', 'only the clients with these external ids, separated by commas').argParser(
    valuesOf,
  );

export const createdOption = (end: 'from' | 'to', description: string) =>
  new Option(`--created-${end} <time>`, `only clients created ${description}, such as 2026-01-31`).argParser((text) => {
    const time = parseInstant(text);
    if (time !== undefined) return time;
    throw new InvalidArgumentError('It must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z.');
  });

/** An empty entry is refused, because a variable that is empty by mistake must not export everybody. */
function valuesOf(text: string): string[] {
  const values = text.split(',').map((each) => each.trim());
  if (values.includes('')) throw new InvalidArgumentError('It must not have an empty entry.');
  return values;
}
