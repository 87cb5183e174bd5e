import { type ContentTree, idIn } from '../../versions/index.js';

/** A tree in which some pages are not there, whichever way they are looked for. */
export function visibleTree(tree: ContentTree, hidden: ReadonlySet<string>): ContentTree {
  if (hidden.size === 0) return tree;
  const isShown = (key: string, value: unknown): boolean => {
    if (key.startsWith('p/') || key.startsWith('c/')) return !hidden.has(idIn(key));
    return !key.startsWith('s/') || !hidden.has(String(value));
  };
  const range: ContentTree['range'] = async (prefix, { limit, ...options } = {}) => {
    const shown = (await tree.range(prefix, options)).filter(([key, value]) => isShown(key, value));
    return limit === undefined ? shown : shown.slice(0, limit);
  };
  return {
    ...tree,
    async get(key) {
      const value = await tree.get(key);
      return value !== undefined && isShown(key, value) ? value : undefined;
    },
    async getMany(keys) {
      return new Map([...(await tree.getMany(keys))].filter(([key, value]) => isShown(key, value)));
    },
    range,
    count: async (prefix) => (await range(prefix)).length,
  };
}
