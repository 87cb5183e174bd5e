/** Adds all items to the list. Never as arguments of one call: there may be more items than a call can have. */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
