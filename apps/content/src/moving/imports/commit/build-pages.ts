import { generateNKeysBetween } from 'fractional-indexing';
import { isOrder, ordersLike, slugOf, type Page, type PageRecord } from '../../../versions/index.js';
import { slugPart } from '../folder.js';
import type { PageItem } from '../item.js';

/** Where the first level of pages goes. */
export interface Place {
  /** The page or group that contains it; the top unless given. */
  parent: string | undefined;
  /** The sort key of the last page there. */
  last: string | undefined;
  /** Slugs that pages there have. */
  slugs: ReadonlySet<string>;
}

type Siblings = readonly PageItem[];

/** Where each page of an import stands: its parent, its sort key, and its slug, by its id. */
export type Places = ReadonlyMap<string, Pick<PageRecord, 'order' | 'slug' | 'parent'>>;

/** Gives every page a place. Pages that come with places keep them, as far as all their siblings do. */
export function placesOf(pages: readonly PageItem[], place: Place): Places {
  const ids = new Map(pages.map(({ n, id }) => [n, id]));
  const siblings = new Map<number | undefined, PageItem[]>();
  for (const page of pages) {
    const together = siblings.get(page.parent);
    if (together === undefined) siblings.set(page.parent, [page]);
    else together.push(page);
  }
  const places = new Map<string, Pick<PageRecord, 'order' | 'slug' | 'parent'>>();
  for (const [above, together] of siblings) {
    const isFirst = above === undefined;
    const parent = isFirst ? place.parent : ids.get(above);
    const orders = ordersOf(together, isFirst ? place.last : undefined);
    const slugs = slugsOf(together, isFirst ? place.slugs : new Set());
    for (const [index, { id }] of together.entries()) {
      const slug = slugs[index];
      places.set(id, {
        order: orders[index] ?? '',
        ...(slug === undefined ? {} : { slug }),
        ...(parent === undefined ? {} : { parent }),
      });
    }
  }
  return places;
}

function ordersOf(siblings: Siblings, last: string | undefined): string[] {
  const own = siblings.flatMap(({ id, record, present }) => {
    const order = record?.order ?? present?.order;
    return order === undefined ? [] : [{ id, order }];
  });
  const isBehind = ({ id, order }: { id: string; order: string }, at: number): boolean => {
    if (!isOrder(order)) return false;
    const before = own[at - 1];
    if (before === undefined) return order > (last ?? '');
    return order > before.order || (order === before.order && id > before.id);
  };
  if (own.length === siblings.length && own.every(isBehind)) return own.map(({ order }) => order);
  if (last !== undefined) return generateNKeysBetween(last, null, siblings.length);
  const known = new Map(own.map(({ id, order }) => [id, order]));
  return ordersLike(siblings.map(({ id }) => wishFor(known.get(id))));
}

function wishFor(order: string | undefined): { order: string | undefined; isFirst: boolean } {
  return { order: order !== undefined && isOrder(order) ? order : undefined, isFirst: true };
}

const longestSlug = 100;

/** The slugs of siblings; `undefined` for links, which have none. One that is taken gets a number. */
function slugsOf(siblings: Siblings, taken: ReadonlySet<string>): (string | undefined)[] {
  const used = new Set(taken);
  const last = new Map<string, number>();
  const free = (wanted: string): string => {
    let slug = wanted;
    let number = last.get(wanted) ?? 0;
    while (used.has(slug)) {
      const suffix = `-${(number += 1)}`;
      slug = `${Array.from(wanted)
        .slice(0, longestSlug - suffix.length)
        .join('')}${suffix}`;
    }
    last.set(wanted, number);
    used.add(slug);
    return slug;
  };
  return siblings.map((page) => (page.type === 'link' ? undefined : free(wantedSlug(page))));
}

function wantedSlug({ present, record, path, slug, title, read, computed }: PageItem): string {
  const kept = record?.slug ?? present?.slug;
  if (kept !== undefined) return kept;
  const part = slug ?? (path === undefined ? undefined : slugPart(path));
  return slugOf(part ?? read?.title ?? (title === '' ? titleOfComputed(computed) : title));
}

/** The title of a computed page that is given none: that of its specification. */
export function titleOfComputed(computed: PageItem['computed']): string {
  const spec = computed?.dependencies?.['spec'];
  const ref = spec?.ref;
  return ref !== undefined && 'spec' in ref && typeof ref.spec === 'string' ? ref.spec : (computed?.type ?? 'Untitled');
}

/** A page with its place, as the tree has it. */
export function placed(id: string, record: Omit<PageRecord, 'order' | 'slug' | 'parent'>, places: Places): Page {
  const place = places.get(id);
  return { ...record, order: '', ...place, id };
}
