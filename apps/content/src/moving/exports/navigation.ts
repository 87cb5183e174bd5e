import type { ContentReference } from '@scriptorium/contracts';
import { formatLinkByDefault } from '@scriptorium/rich-text';
import type { Page } from '../../versions/index.js';
import { relativeTo, type SummaryEntry } from '../archive-format/index.js';
import type { Layout } from './layout.js';

/** The navigation of a content. */
export function navigationOf(layout: Layout): SummaryEntry[] {
  return entriesIn(layout, undefined);
}

function entriesIn(layout: Layout, parent: string | undefined): SummaryEntry[] {
  return (layout.children.get(parent) ?? []).map((page) => entryOf(layout, page));
}

function entryOf(layout: Layout, page: Page): SummaryEntry {
  const { id, title, type } = page;
  const entries = entriesIn(layout, id);
  switch (type) {
    case 'group':
      return page.parent === undefined ? { type: 'group', title, entries } : { type: 'folder', title, entries };
    case 'link':
      return { type: 'link', title, url: addressOf(layout, page.target) };
    case 'computed':
      return page.computed === undefined
        ? { type: 'folder', title, entries }
        : { type: 'computed', source: page.computed, entries };
    case 'document':
      return { type: 'page', title, path: relativeTo([], layout.paths.get(id) ?? ''), entries };
  }
}

function addressOf(layout: Layout, target: ContentReference | undefined): string {
  const url = target === undefined ? null : addressIn(layout, [], target);
  return url ?? 'broken-reference';
}

/** The address of a reference in a file of a folder: a relative path, or a form that is the same everywhere. */
export function addressIn(
  { paths }: Pick<Layout, 'paths'>,
  folder: readonly string[],
  ref: Parameters<typeof formatLinkByDefault>[0],
): string | null {
  const named = ref['space'] === undefined ? (ref['page'] ?? ref['file'] ?? ref['reusableContent']) : undefined;
  const path = typeof named === 'string' ? paths.get(named) : undefined;
  if (path === undefined) {
    const stable = formatLinkByDefault(ref, 'stable');
    return typeof stable === 'string' ? stable : (stable?.url ?? null);
  }
  const anchor = typeof ref['anchor'] === 'string' ? `#${ref['anchor']}` : '';
  return `${relativeTo(folder, path)}${anchor}`;
}
