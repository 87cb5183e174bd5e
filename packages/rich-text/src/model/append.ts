/** Adds an item to the list under a key, which begins with it. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Adds all items to the list. Never as arguments of one call: there may be more items than a call can have. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
