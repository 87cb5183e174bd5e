import type { ContentReference } from '@scriptorium/contracts';

/** What a link leads to, in one form for all ways to name it. Ids of the space that has the link are left out. */
export type Target = ContentReference;

/** Where a link stands, as far as its target depends on it. */
interface Source {
  space: string;
  /** The page that has the link; absent for reusable contents. */
  page?: string | undefined;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest;

/**
 * The target of a reference of a document; `undefined` for what names nothing. Documents contain references of any
 * form.
 */
export function targetOf(ref: Readonly<Record<string, unknown>>, source: Source): Target | undefined {
  const { kind, space } = ref;
  if (space !== undefined && !isId(space)) return undefined;
  const elsewhere = space === undefined || space === source.space ? {} : { space };
  switch (kind) {
    case 'page':
    case 'anchor':
      return pageTarget(ref, source, elsewhere);
    case 'file':
      return isId(ref['file']) ? { kind, file: ref['file'], ...elsewhere } : undefined;
    case 'reusable-content':
      return isId(ref['reusableContent']) ? { kind, reusableContent: ref['reusableContent'], ...elsewhere } : undefined;
    case 'tag':
      return isId(ref['tag']) ? { kind, tag: ref['tag'], ...elsewhere } : undefined;
    default:
      return otherTarget(ref);
  }
}

function pageTarget(
  { page, anchor }: Readonly<Record<string, unknown>>,
  source: Source,
  elsewhere: { space?: string },
): Target | undefined {
  if (page !== undefined && !isId(page)) return undefined;
  const own = elsewhere.space === undefined ? source.page : undefined;
  const named = page ?? own;
  if (isText(anchor, 256))
    return { kind: 'anchor', anchor, ...(named === undefined ? {} : { page: named }), ...elsewhere };
  return page === undefined ? undefined : { kind: 'page', page, ...elsewhere };
}

function otherTarget(ref: Readonly<Record<string, unknown>>): Target | undefined {
  switch (ref['kind']) {
    case 'url':
      return isText(ref['url'], 2048) ? { kind: 'url', url: ref['url'] } : undefined;
    case 'user':
      return isId(ref['user']) ? { kind: 'user', user: ref['user'] } : undefined;
    case 'space':
      return isId(ref['space']) ? { kind: 'space', space: ref['space'] } : undefined;
    case 'collection':
      return isId(ref['collection']) ? { kind: 'collection', collection: ref['collection'] } : undefined;
    case 'openapi':
      return isText(ref['spec'], 100) ? { kind: 'openapi', spec: ref['spec'] } : undefined;
    default:
      return undefined;
  }
}

/** Whether an address is one of the application. */
export function isInApp(url: string, app: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(app)) return false;
  const [found, base] = [new URL(url), new URL(app)];
  const path = base.pathname.replace(/\/$/, '');
  return found.origin === base.origin && (found.pathname === path || found.pathname.startsWith(`${path}/`));
}
