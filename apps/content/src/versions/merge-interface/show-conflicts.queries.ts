import type { ContentConflict } from '@scriptorium/contracts';
import type { FoundConflict } from '../merging/index.js';
import type { ContentTree } from '../object-store/index.js';
import { findPage, keys, pathOf } from '../pages/index.js';

type PageReference = Extract<ContentConflict, { object: 'page-conflict' }>['page'];

/** Conflicts as answers have them. `trees`: where what they are about is looked for, the first one first. */
export function showConflicts(
  trees: readonly ContentTree[],
  conflicts: readonly FoundConflict[],
): Promise<ContentConflict[]> {
  return Promise.all(conflicts.map((conflict) => show(trees, conflict)));
}

async function show(trees: readonly ContentTree[], conflict: FoundConflict): Promise<ContentConflict> {
  const { id, kind, of, attribute, blocks } = conflict;
  const base = { id, kind };
  const marked = blocks === undefined ? {} : { blocks };
  if ('variable' in of) {
    const page = of.page === undefined ? {} : { page: await showPage(trees, of.page) };
    return { object: 'variable-conflict', ...base, variable: of.variable, ...page };
  }
  if ('page' in of) {
    const field = attribute === undefined ? {} : { attribute };
    return { object: 'page-conflict', ...base, page: await showPage(trees, of.page), ...field, ...marked };
  }
  if ('file' in of) {
    const name = await textIn(trees, keys.file(of.file), 'name');
    return { object: 'file-conflict', ...base, file: { id: of.file, name } };
  }
  const title = await textIn(trees, keys.reusableContent(of.reusableContent), 'title');
  return {
    object: 'reusable-content-conflict',
    ...base,
    reusableContent: { id: of.reusableContent, title },
    ...marked,
  };
}

async function showPage(trees: readonly ContentTree[], id: string): Promise<PageReference> {
  for (const tree of trees) {
    const page = await findPage(tree, id);
    if (page === undefined) continue;
    const { type, title } = page;
    return { id, type, title, ...(type === 'link' ? {} : { path: await pathOf(tree, page) }) };
  }
  return { id, type: 'document', title: '' };
}

async function textIn(trees: readonly ContentTree[], key: string, field: string): Promise<string> {
  for (const tree of trees) {
    const record = (await tree.get(key)) as Record<string, unknown> | undefined;
    if (typeof record?.[field] === 'string') return record[field];
  }
  return '';
}
