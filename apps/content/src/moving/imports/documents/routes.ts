import { decoded, isIndex, joined, stemOf } from '../folder.js';
import type { PageItem } from '../item.js';

/** The routes that generators of sites give to the page of a file: by its name, `id` and `slug`. */
export function routesOf({ path = '', scanned }: Pick<PageItem, 'path' | 'scanned'>): string[] {
  const folder = path.split('/').slice(0, -1);
  const own = isIndex(path) ? folder : [...folder, stemOf(path)];
  const { id, slug } = scanned ?? {};
  const inFolder = (part: string): string => joined(folder, part).path;
  const routes = [own.join('/'), ...(id === undefined ? [] : [inFolder(id)])];
  if (slug !== undefined) routes.push(inFolder(slug.replace(/\/+$/, '')));
  const plain = routes.map((route) => route.replace(/(^|\/)\d{1,3}[-_.] ?(?=[^/])/g, '$1'));
  return [...new Set([...routes, ...plain].map(routeKey))].filter((route) => route !== '');
}

/** Routes are compared without case, and without what stands for the blanks of names. */
function routeKey(route: string): string {
  return route.toLowerCase().replace(/[\s_]+/g, '-');
}

/** Parts that an address of a site has before the route of a page. */
const before = /^(docs?|documentation|next|latest|current|stable|en|v?\d[\d.x]*)$/i;

/** The page that an address on a site leads to. `from`: the path of the file that has it. */
export function routeTo(
  { routes, pageAt }: { routes: Readonly<Record<string, string>>; pageAt: (path: string) => string | undefined },
  from: readonly string[],
  address: string,
): string | undefined {
  const plain = decoded(address.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  const route = plain.replace(/(^|\/)index\.html?$/i, '$1').replace(/\.html?$/i, '');
  const folder = from.slice(0, -1);
  // The address of a page may end with a slash: then it is a folder itself.
  const asFolder = [...folder, stemOf(from.at(-1) ?? '')];
  for (const base of [folder, asFolder]) {
    const { above, path } = joined(base, route);
    const found = above > 0 ? undefined : at(path);
    if (found !== undefined) return found;
  }
  if (!route.startsWith('/')) return undefined;
  const parts = route.split('/').filter(Boolean);
  while (parts.length > 1 && before.test(parts[0] ?? '')) {
    parts.shift();
    const found = at(parts.join('/'));
    if (found !== undefined) return found;
  }
  return undefined;

  function at(path: string): string | undefined {
    const key = routeKey(path);
    return pageAt(path) ?? (Object.hasOwn(routes, key) ? routes[key] : undefined);
  }
}
