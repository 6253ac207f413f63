import type { CountedGroup } from '#contract/clients/groups.ts';
import { capitalised } from '../capitalised.ts';
import { nextDay } from '../days.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, REQUEST_STATUS_LABELS } from '../labels.ts';
import { type ClientsSearch, groupsOf, statusesOf } from './search.ts';

/** A filter in words, and what is left of the search without it. */
export interface FilterText {
  text: string;
  without: Partial<ClientsSearch>;
}

/** The filters of a search, each by itself. Groups are named as they are called now, as soon as they are known. */
export function filterTexts(search: ClientsSearch, groups: readonly CountedGroup[] | undefined): FilterText[] {
  const { search: words, type, active, group } = search;
  const texts: FilterText[] = [];
  if (words) texts.push({ text: `“${words}”`, without: { search: undefined } });
  const statuses = statusesOf(search).map((status) => REQUEST_STATUS_LABELS[status]);
  if (statuses.length > 0)
    texts.push({ text: `Request status: ${statuses.join(', ')}`, without: { status: undefined } });
  if (type) texts.push({ text: `Type: ${CLIENT_TYPE_LABELS[type]}`, without: { type: undefined } });
  if (active) texts.push({ text: `Client status: ${CLIENT_STATUS_LABELS[active]}`, without: { active: undefined } });
  if (group) texts.push({ text: `Group: ${group}`, without: { group: undefined } });
  const tokens = groupsOf(search);
  for (const token of tokens) {
    const others = tokens.filter((each) => each !== token).join();
    texts.push({ text: `Group: ${groupText(token, groups)}`, without: { groups: others || undefined } });
  }
  const added = addedText(search);
  if (added) texts.push({ text: added, without: { from: undefined, until: undefined, days: undefined } });
  return texts;
}

/** An old address may have a group that was deleted, and one from elsewhere a group of the other environment. */
function groupText(token: string, groups: readonly CountedGroup[] | undefined): string {
  if (!groups) return '…';
  return groups.find((each) => each.group_token === token)?.group_name ?? 'one that does not exist here';
}

/** The day `until` itself is not included. */
export function addedText({ from, until, days }: ClientsSearch): string | undefined {
  if (days !== undefined) return days === 1 ? 'Added today' : `Added in the last ${days} days`;
  const last = until === undefined ? undefined : nextDay(until, -1);
  if (from === undefined) return last === undefined ? undefined : `Added until ${dayText(last)}`;
  if (last === undefined) return `Added since ${dayText(from)}`;
  if (from === last) return `Added on ${dayText(from)}`;
  return from < last
    ? `Added ${DAY.formatRange(Date.parse(from), Date.parse(last))}`
    : `Added from ${dayText(from)} to ${dayText(last)}`;
}

/** The same where there is little room and no doubt about what it says. */
export function shortAddedText(text: string): string {
  return capitalised(text.replace(/^Added (in the |on |from )?/, ''));
}

/** As the table shows it. */
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

function dayText(day: string): string {
  return DAY.format(Date.parse(day));
}
