const KEPT_MAX = 50;

/** Ids that are remembered in this browser tab under the key, also when the page is loaded again. */
export function rememberedIds(key: string): string[] {
  return JSON.parse(sessionStorage.getItem(key) ?? '[]');
}

/** Returns all of them, with this one. */
export function rememberId(key: string, id: string): string[] {
  const ids = [...rememberedIds(key).filter((each) => each !== id), id].slice(-KEPT_MAX);
  sessionStorage.setItem(key, JSON.stringify(ids));
  return ids;
}
