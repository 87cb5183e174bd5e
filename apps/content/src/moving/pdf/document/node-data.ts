import type { Data } from '@scriptorium/rich-text';
import { isObject, textIn } from '@scriptorium/rich-text/reading';

/** What the service says that a reference leads to. */
export function resolvedIn(data: Data): { title: string; href: string; path: string } {
  const resolved = isObject(data['resolved']) ? data['resolved'] : {};
  return { title: textIn(resolved, 'title'), href: textIn(resolved, 'href'), path: textIn(resolved, 'path') };
}
