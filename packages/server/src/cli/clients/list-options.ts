import { type Command, InvalidArgumentError, Option } from 'commander';
import { CLIENT_STATUSES, CLIENT_TYPES, type ClientStatus, type ClientType } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { isReferenceId } from '../../domain/clients/reference-id-shape.ts';
import { isRequestStatus, REQUEST_STATUSES, type RequestStatus } from '../../domain/clients/request-status.ts';
import { isUuid } from '../../domain/text.ts';
import { parseInstant } from '../../domain/time.ts';

/** The filters of a list, as the API has them. */
export interface FilterOptions {
  clientEmail?: string;
  groupName?: string;
  groupToken?: string[];
  requestStatus?: RequestStatus[];
  clientType?: ClientType;
  clientStatus?: ClientStatus;
  referenceId?: string[];
  externalId?: string[];
  createdFrom?: number;
  createdTo?: number;
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--client-email <email>', 'only clients with this email')
    .option('--group-name <name>', 'only clients in this group')
    .addOption(groupTokenOption())
    .addOption(requestStatusOption())
    .addOption(new Option('--client-type <type>', 'only clients of this type').choices(CLIENT_TYPES))
    .addOption(new Option('--client-status <status>', 'only active or only inactive clients').choices(CLIENT_STATUSES))
    .addOption(referenceIdOption())
    .addOption(externalIdOption())
    .addOption(createdOption('from', 'at this time or later'))
    .addOption(createdOption('to', 'before this time'));
}

export function toFilter(options: FilterOptions): ClientFilter {
  return {
    email: options.clientEmail,
    groupName: options.groupName,
    groupTokens: options.groupToken,
    requestStatuses: options.requestStatus,
    clientType: options.clientType,
    clientStatus: options.clientStatus,
    referenceIds: options.referenceId,
    externalIds: options.externalId,
    createdFrom: options.createdFrom,
    createdUntil: options.createdTo,
  };
}

const requestStatusOption = () =>
  new Option(
    '--request-status <list>',
    `only these request statuses, separated by commas: ${REQUEST_STATUSES.join(', ')}`,
  ).argParser((text) =>
    valuesOf(text).map((each) => {
      if (isRequestStatus(each.toLowerCase())) return each.toLowerCase();
      throw new InvalidArgumentError(`Allowed are ${REQUEST_STATUSES.join(', ')}, separated by commas.`);
    }),
  );

const groupTokenOption = () =>
  new Option('--group-token <list>', 'only the groups with these tokens, separated by commas').argParser((text) =>
    valuesOf(text).map((each) => {
      if (isUuid(each)) return each.toLowerCase();
      throw new InvalidArgumentError(`${each} is not the token of a group, which is a UUID.`);
    }),
  );

const referenceIdOption = () =>
  new Option('--reference-id <list>', 'only the clients with these references, separated by commas').argParser((text) =>
    valuesOf(text).map((each) => {
      if (isReferenceId(each)) return each;
      throw new InvalidArgumentError(`${each} is not a reference.`);
    }),
  );

const externalIdOption = () =>
  new Option('--external-id <list>', 'only the clients with these external ids, separated by commas').argParser(
    valuesOf,
  );

const createdOption = (end: 'from' | 'to', description: string) =>
  new Option(`--created-${end} <time>`, `only clients created ${description}, such as 2026-01-31`).argParser((text) => {
    const time = parseInstant(text);
    if (time !== undefined) return time;
    throw new InvalidArgumentError('It must be a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z.');
  });

/** An empty entry is refused, because a variable that is empty by mistake must not mean everybody. */
function valuesOf(text: string): string[] {
  const values = text.split(',').map((each) => each.trim());
  if (values.includes('')) throw new InvalidArgumentError('It must not have an empty entry.');
  return values;
}
