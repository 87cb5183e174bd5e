import type { ImportWarning } from '@scriptorium/contracts';
import { resolveLinkByDefault, type TargetUse } from '@scriptorium/rich-text';
import { decoded, joined } from '../folder.js';
import { routeTo } from './routes.js';

type Ref = NonNullable<ReturnType<typeof resolveLinkByDefault>>;

/** What the files of an import become: ids by their paths. */
export interface Targets {
  pages: Readonly<Record<string, string>>;
  files: Readonly<Record<string, string>>;
  includes: Readonly<Record<string, string>>;
  /** Ids of pages by the routes that a site would give them. */
  routes?: Readonly<Record<string, string>> | undefined;
  /** Ids by those that the archive has for the same. */
  ids: Readonly<Record<string, string>>;
  /** The address of the folder that the files come from. */
  outside?: string | undefined;
}

export interface ResolvedLinks {
  resolve: (url: string, use: TargetUse) => Ref | null;
  /** Links that lead nowhere, each once. */
  warnings: ImportWarning[];
  /** Ids of the files that are linked to. */
  files: Set<string>;
}

const longestTarget = 1_024;

/** Resolves the links of a file. */
export function linksOf(targets: Targets, path: string): ResolvedLinks {
  const warnings = new Map<string, ImportWarning>();
  const files = new Set<string>();
  const from = path.split('/');
  const resolve = (url: string, use: TargetUse): Ref | null => {
    const found = targetOf(targets, from, url, use);
    if (found === undefined) {
      const kind = use === 'include' ? 'include' : use === 'image' || use === 'file' ? 'image' : 'link';
      warnings.set(`${kind} ${url}`, { kind, path, target: url.slice(0, longestTarget) });
      return null;
    }
    if (found.kind === 'file' && typeof found['file'] === 'string') files.add(found['file']);
    return found;
  };
  return {
    resolve,
    files,
    get warnings() {
      return [...warnings.values()];
    },
  };
}

function targetOf(targets: Targets, from: readonly string[], url: string, use: TargetUse): Ref | undefined {
  if (/^([a-z][a-z0-9+.-]*:|#)/i.test(url)) return resolveLinkByDefault(url, use) ?? undefined;
  const stable = url.startsWith('//') ? undefined : stableTarget(targets, url, use);
  if (stable !== undefined) return stable;
  if (url.startsWith('//')) return { kind: 'url', url: `https:${url}` };
  const folder = from.slice(0, -1);
  const [address = '', anchor = ''] = url.split('#', 2);
  const { above, path } = joined(folder, decoded(address.split('?', 1)[0] ?? ''));
  const found = above > 0 ? undefined : fileTarget(targets, path, anchor);
  return found ?? routeTarget(targets, from, url) ?? outsideTarget(targets, { above, path, anchor });
}

/** References that are the same in every file: ids of the archive, or of other spaces. */
function stableTarget({ pages, ids }: Targets, url: string, use: TargetUse): Ref | undefined {
  const ref = resolveLinkByDefault(url, use);
  const [, path = '', anchor = ''] = /^\/pages\/([^#]+)(?:#(.*))?$/.exec(url) ?? [];
  if (ref !== null) {
    const name = ['page', 'file', 'reusableContent'].find((key) => ref[key] !== undefined);
    // What is in other spaces, or in no space.
    if (name === undefined || ref['space'] !== undefined) return ref;
    const id = ref[name];
    const known = typeof id === 'string' ? own(ids, id) : undefined;
    if (known !== undefined) return { ...ref, [name]: known };
  }
  const page = path === '' ? undefined : pageAt(pages, decoded(path));
  return page === undefined ? undefined : pageRef(page, anchor);
}

function routeTarget({ routes, pages }: Targets, from: readonly string[], url: string): Ref | undefined {
  const [address = '', anchor = ''] = url.split('#', 2);
  const found = routeTo({ routes: routes ?? {}, pageAt: (path) => pageAt(pages, path) }, from, address);
  return found === undefined ? undefined : pageRef(found, anchor);
}

function fileTarget({ pages, files, includes }: Targets, path: string, anchor: string): Ref | undefined {
  const page = pageAt(pages, path);
  if (page !== undefined) return pageRef(page, anchor);
  const file = own(files, path);
  if (file !== undefined) return { kind: 'file', file };
  const reusableContent = own(includes, path);
  return reusableContent === undefined ? undefined : { kind: 'reusable-content', reusableContent };
}

const indexes = ['README.md', 'readme.md', 'index.md', 'README.mdx', 'index.mdx'];
/** How the name of a file can go on behind what a link says. */
const endings = ['.md', '.mdx', '.markdown', ...indexes.map((name) => `/${name}`)];

function pageAt(pages: Targets['pages'], path: string): string | undefined {
  const names = path === '' ? indexes : [path, ...endings.map((ending) => `${path}${ending}`)];
  for (const name of names) {
    const page = own(pages, name);
    if (page !== undefined) return page;
  }
  return undefined;
}

function pageRef(page: string, anchor: string): Ref {
  return anchor === '' ? { kind: 'page', page } : { kind: 'anchor', page, anchor };
}

/** Where a file stands that is not imported, if it is known where the folder stands. */
function outsideTarget(
  { outside }: Targets,
  { above, path, anchor }: { above: number; path: string; anchor: string },
): Ref | undefined {
  if (outside === undefined || above === 0) return undefined;
  const base = outside.endsWith('/') ? outside : `${outside}/`;
  const url = new URL('../'.repeat(above) + path.split('/').map(encodeURIComponent).join('/'), base);
  if (anchor !== '') url.hash = anchor;
  return { kind: 'url', url: url.href };
}

/** Paths are given by others: `constructor` is none of these unless it is there. */
function own(map: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.hasOwn(map, path) ? map[path] : undefined;
}
