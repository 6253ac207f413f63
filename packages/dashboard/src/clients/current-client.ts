/** Which client of a list the keys apply to. */
export interface CurrentClient {
  /** The list in which it was found, by the references of its clients. */
  ids: readonly string[];
  id: string | undefined;
  /** The one that becomes current as soon as it is in the list, to which it comes back. */
  awaited?: string | undefined;
}

/**
 * The same client in another list, or the next one of the former list that is still there, or else the last one. If the client
 * was not in the former list, either, its place is unknown, and the first one is current.
 */
export function inList({ ids: former, id, awaited }: CurrentClient, ids: readonly string[]): CurrentClient {
  if (awaited !== undefined && ids.includes(awaited)) return { ids, id: awaited };
  return {
    ids,
    id: successor(id, former, new Set(ids)) ?? (id !== undefined && former.includes(id) ? ids.at(-1) : ids[0]),
    awaited,
  };
}

function successor(id: string | undefined, former: readonly string[], left: ReadonlySet<string>): string | undefined {
  if (id === undefined || left.has(id)) return id;
  return former.slice(former.indexOf(id) + 1).find((each) => left.has(each));
}
