import type { SpecificationPart } from '@scriptorium/openapi';
import { resolveAnchor } from '@scriptorium/rich-text';
import type { DocumentAnalysis } from '../analysis/index.js';
import type { Page, PageAttributes } from '../../versions/index.js';
import { targetOf, type Target } from './target.js';

/** A place that has a link: a page or a reusable content, and the node of its document if it is in the document. */
export interface LinkPlace {
  kind: 'page' | 'reusable-content';
  id: string;
  node?: string;
  /** What the node shows of a specification. */
  part?: SpecificationPart;
  /** The number of the link, in the order of pages and of nodes. */
  at: number;
}

/** What is linked to, with all places that do. */
export interface Link {
  /** Differs for each target and relation. */
  key: string;
  target: Target;
  relation: 'reference' | 'dependsOn';
  places: LinkPlace[];
}

/** A revision as far as links depend on it. */
export interface LinkedContent {
  space: string;
  /** In the order of the navigation. */
  pages: readonly Page[];
  attributes: ReadonlyMap<string, PageAttributes>;
  /** By id, in the order of their ids, the names of their documents. */
  contents: ReadonlyMap<string, string>;
  /** By name of a document. */
  analyses: ReadonlyMap<string, DocumentAnalysis>;
}

type Ref = Readonly<Record<string, unknown>>;
type Add = (ref: unknown, relation: Link['relation'], from?: Pick<LinkPlace, 'node' | 'part'>) => void;

/** All links of a revision, in the order of pages and of nodes; those of reusable contents come last. */
export function linksOf({ space, pages, attributes, contents, analyses }: LinkedContent): Link[] {
  const links = new Map<string, Link>();
  let at = 0;
  const addFrom =
    (kind: LinkPlace['kind'], id: string): Add =>
    (ref, relation, { node, part } = {}) => {
      const target = targetOf(ref as Ref, { space, page: kind === 'page' ? id : undefined });
      if (target === undefined) return;
      const from = { ...(node === undefined || node === '' ? {} : { node }), ...(part === undefined ? {} : { part }) };
      const place = { kind, id, ...from, at: (at += 1) };
      const key = `${relation} ${keyOf(target, place)}`;
      const known = links.get(key);
      if (known === undefined) links.set(key, { key, target, relation, places: [place] });
      else known.places.push(place);
    };
  for (const page of pages) {
    const add = addFrom('page', page.id);
    addFields(add, page, attributes.get(page.attributes ?? '') ?? {});
    addDocument(add, analyses.get(page.document ?? ''));
  }
  for (const [id, document] of contents) addDocument(addFrom('reusable-content', id), analyses.get(document));
  return [...links.values()];
}

/** An anchor without a page names a heading of the reusable content that it is in. */
function keyOf(target: Target, { id }: LinkPlace): string {
  const isLocal = target.kind === 'anchor' && target.page === undefined;
  return JSON.stringify([isLocal ? id : null, ...Object.entries(target).flat()]);
}

/** The links of a page outside of its document. */
function addFields(add: Add, { target, computed }: Page, { cover, metaLinks }: PageAttributes): void {
  if (target !== undefined) add(target, 'reference');
  for (const ref of [cover?.ref, cover?.refDark]) if (ref !== undefined) add(ref, 'dependsOn');
  for (const ref of [metaLinks?.canonical, ...(metaLinks?.alternates ?? [])])
    if (ref !== undefined) add(ref, 'reference');
  for (const { ref } of Object.values(computed?.dependencies ?? {})) add(ref, 'dependsOn');
}

function addDocument(add: Add, analysis: DocumentAnalysis | undefined): void {
  for (const { ref, relation, ...from } of analysis?.links ?? []) add(ref, relation, from);
}

/** Whether an anchor of a link leads to one of these, also as other products would write it. */
export function namesOneOf(anchor: string, anchors: ReadonlySet<string>): boolean {
  return anchors.has(anchor) || resolveAnchor(anchor, anchors) !== undefined;
}

/** The ids of the headings and anchors of a document, and of the reusable contents that it shows. */
export function anchorsIn(
  { contents, analyses }: Pick<LinkedContent, 'contents' | 'analyses'>,
  document: string | undefined,
): Set<string> {
  const anchors = new Set<string>();
  const seen = new Set<string>();
  const open = document === undefined ? [] : [document];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const known = analyses.get(name);
    if (known === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const anchor of known.anchors) anchors.add(anchor);
    for (const id of known.includes) {
      const content = contents.get(id);
      if (content !== undefined) open.push(content);
    }
  }
  return anchors;
}

/** The pages in the order of the navigation: each directly before those in it. */
export function inNavigation(pages: readonly Page[]): Page[] {
  const children = new Map<string | undefined, Page[]>();
  for (const page of pages) {
    const siblings = children.get(page.parent);
    if (siblings === undefined) children.set(page.parent, [page]);
    else siblings.push(page);
  }
  const below = (parent: string | undefined): Page[] =>
    (children.get(parent) ?? []).sort(byOrder).flatMap((page) => [page, ...below(page.id)]);
  return below(undefined);
}

function byOrder(a: Page, b: Page): number {
  return a.order === b.order ? (a.id < b.id ? -1 : 1) : a.order < b.order ? -1 : 1;
}
