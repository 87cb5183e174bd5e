import { AppError, type locateInContent } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Block, Fragment, Node, RichDocument } from '@scriptorium/rich-text';
import type * as z from 'zod';
import {
  branches,
  contentTree,
  type ContentObjects,
  type ContentTree,
  findPages,
  type Page,
} from '../../../versions/index.js';
import { findNode } from '../../../library/index.js';
import { expandRoot } from '../../computed-pages/index.js';
import { requireRevision } from '../view/view.queries.js';

type Wanted = z.output<(typeof locateInContent)['input']>;
type Place = Wanted['places'][number];

/**
 * Whether places exist in the content of a branch. @throws AppError `not_found` for a branch or revision that is not
 * there
 */
export async function locate(
  { store, workers }: Pick<Scope, 'store' | 'workers'>,
  objects: ContentObjects,
  { space, branch, revision, places }: Wanted,
): Promise<{ revision: string; found: boolean[] }> {
  const known = await store.read(branches).byId(branch);
  if (known?.head == null || known.space !== space) throw new AppError('not_found');
  const { head, pool } = known;
  const wanted = revision ?? head.revision;
  const isPresent = wanted === head.revision;
  const root = isPresent ? head.tree : (await requireRevision({ store }, space, wanted)).tree;
  const { organization = '' } = (await findNode({ store }, space)) ?? {};
  const of = { organization, space, branch: isPresent ? branch : null, pool, root };
  const expanded = await expandRoot({ store, workers }, objects, of);
  return { revision: wanted, found: await findPlaces(contentTree(objects, pool, expanded.root), places) };
}

async function findPlaces(tree: ContentTree, places: readonly Place[]): Promise<boolean[]> {
  const pages = await findPages(tree, [...new Set(places.map(({ page }) => page))]);
  const within = places.filter(({ node, tableCell }) => node !== undefined || tableCell !== undefined);
  const parts = new Map<string, DocumentParts>();
  for (const id of new Set(within.map(({ page }) => page))) parts.set(id, await partsOf(tree, pages.get(id)));
  return places.map((place) => pages.has(place.page) && contains(parts.get(place.page), place));
}

/** What a document consists of: its nodes, and those that are tables. */
interface DocumentParts {
  keys: ReadonlySet<string>;
  tables: readonly Block[];
}

function contains(parts: DocumentParts | undefined, { node, tableCell }: Place): boolean {
  if (node !== undefined && parts?.keys.has(node) !== true) return false;
  if (tableCell === undefined) return true;
  const { record, definition } = tableCell;
  return (parts?.tables ?? []).some(
    ({ key, data }) =>
      (node === undefined || key === node) && has(data['records'], record) && has(data['definition'], definition),
  );
}

function has(entries: unknown, name: string): boolean {
  return typeof entries === 'object' && entries !== null && Object.hasOwn(entries, name);
}

async function partsOf(tree: ContentTree, page: Page | undefined): Promise<DocumentParts> {
  const keys = new Set<string>();
  const tables: Block[] = [];
  if (page?.document === undefined) return { keys, tables };
  const open: (Node | Fragment)[] = [...((await tree.object(page.document)) as RichDocument).nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.key !== undefined) keys.add(node.key);
    if (node.object === 'block' && node.type === 'table') tables.push(node);
    if (node.object === 'text') continue;
    open.push(...(node.nodes ?? []), ...('fragments' in node ? (node.fragments ?? []) : []));
  }
  return { keys, tables };
}
