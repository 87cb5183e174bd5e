/** JSON whose references to something of the same space have other ids. `ids`: by those that they have. */
export function renameIds<T extends object>(value: T, ids: Readonly<Record<string, string>>): T {
  const renamed = (_name: string, inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null || !('kind' in inner) || 'space' in inner) return inner;
    const ref: Record<string, unknown> = { ...inner };
    for (const name of ['page', 'file', 'reusableContent']) {
      const id = ref[name];
      if (typeof id === 'string' && Object.hasOwn(ids, id)) ref[name] = ids[id];
    }
    return ref;
  };
  return JSON.parse(JSON.stringify(value), renamed) as T;
}

/** Whether ids stay as they are. */
export function isRenaming(ids: Readonly<Record<string, string>>): boolean {
  return Object.entries(ids).some(([former, id]) => former !== id);
}
