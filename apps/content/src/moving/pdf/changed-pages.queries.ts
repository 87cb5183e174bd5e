import { diff, isSame } from '@scriptorium/tree';
import { idIn, keys, type ContentObjects, type PageRecord } from '../../versions/index.js';

/** How a page differs from what it was; each by the id of its page. */
export interface ChangedPages {
  added: ReadonlySet<string>;
  changed: ReadonlyMap<string, PageRecord>;
  removed: ReadonlyMap<string, PageRecord>;
}

/** Pages that were added, removed, or have other texts. One that was only moved did not change. */
export async function changedPages(
  objects: Pick<ContentObjects, 'partsOf'>,
  pool: string,
  { before, after }: { before: string; after: string },
): Promise<ChangedPages> {
  const added = new Set<string>();
  const changed = new Map<string, PageRecord>();
  const removed = new Map<string, PageRecord>();
  for await (const found of diff(objects.partsOf(pool), before, after, { prefix: keys.pages })) {
    const [was, is] = [found.before, found.after] as [PageRecord | undefined, PageRecord | undefined];
    const id = idIn(found.key);
    if (was === undefined) added.add(id);
    else if (is === undefined) removed.set(id, was);
    else if (!isSame(shown(was), shown(is))) changed.set(id, was);
  }
  return { added, changed, removed };
}

function shown({ type, title, description, document, computed }: PageRecord) {
  return {
    type,
    title,
    ...(description === undefined ? {} : { description }),
    ...(document === undefined ? {} : { document }),
    computed: JSON.stringify(computed ?? null),
  };
}
