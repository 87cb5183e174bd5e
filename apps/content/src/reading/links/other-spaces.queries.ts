import type { Scope } from '@scriptorium/platform';
import { mainContentOf, mayViewNode, type ContentView, type Onlooker } from '../content/index.js';
import { findPages, idIn, keys } from '../../versions/index.js';
import type { LinksOfRevisions } from './links-of-revisions.process.js';
import { namesOneOf, type Link } from './revision-links.js';
import type { Target } from './target.js';

/** Who judges links, and from what. */
export interface Judge extends Onlooker {
  revisions: LinksOfRevisions;
}

/** What links from a content lead to outside of it. */
export interface OtherSpaces {
  /** The main content of another space, if the caller may view it. */
  views: ReadonlyMap<string, ContentView>;
  /** Spaces and collections that the caller may view. */
  nodes: ReadonlySet<string>;
  /** The keys of links to other spaces, and to spaces and collections, whose target is missing. */
  missing: ReadonlySet<string>;
}

/**
 * Looks at what links lead to outside of their space, as it is now. What the caller may not view does not exist for
 * them. What was looked at is added to what the answer shows.
 */
export async function lookElsewhere(
  scope: Scope,
  judge: Judge,
  view: ContentView,
  links: readonly Link[],
): Promise<OtherSpaces> {
  const nodes = new Set<string>();
  const views = new Map<string, ContentView>();
  const missing = new Set<string>();
  for (const { id, kind, leading } of nodesOf(links)) {
    const isShown = await mayViewNode(scope, judge, view.organization, { id, kind });
    if (isShown) nodes.add(id);
    const other = isShown && kind === 'space' ? await mainContentOf(scope, judge, view.organization, id) : undefined;
    if (other !== undefined) views.set(id, other);
    view.also.push([id, isShown, other?.revision ?? null]);
    const missed = isShown ? await missingIn(scope, judge, other, leading) : leading;
    for (const { key } of missed) missing.add(key);
  }
  return { views, nodes, missing };
}

interface LinkedNode {
  id: string;
  kind: 'space' | 'collection';
  leading: Link[];
}

/**
 * The spaces and collections that links lead to or into. A link may say of a space that it is a collection, or the
 * other way round.
 */
function nodesOf(links: readonly Link[]): Iterable<LinkedNode> {
  const nodes = new Map<string, LinkedNode>();
  for (const link of links) {
    const id = nodeOf(link.target);
    if (id === undefined) continue;
    const kind = link.target.kind === 'collection' ? 'collection' : 'space';
    const known = nodes.get(`${kind} ${id}`);
    if (known === undefined) nodes.set(`${kind} ${id}`, { id, kind, leading: [link] });
    else known.leading.push(link);
  }
  return nodes.values();
}

/** The space or collection that has to be looked at for a target. */
function nodeOf(target: Target): string | undefined {
  if (target.kind === 'collection') return target.collection;
  return 'space' in target ? target.space : undefined;
}

/** Of links into another space, those whose target is not there. */
async function missingIn(
  scope: Scope,
  { revisions }: Judge,
  view: ContentView | undefined,
  links: readonly Link[],
): Promise<Link[]> {
  const within = links.filter(({ target }) => target.kind !== 'space' && target.kind !== 'collection');
  if (within.length === 0) return [];
  if (view === undefined) return within;
  const found = await view.tree.getMany(within.flatMap(({ target }) => treeKeyOf(target) ?? []));
  const withAnchors = within.flatMap(({ target }) =>
    target.kind === 'anchor' && target.page !== undefined ? target.page : [],
  );
  const pages = [...(await findPages(view.tree, withAnchors)).values()];
  const anchors = pages.length === 0 ? new Map<string, Set<string>>() : await revisions.anchorsOf(scope, view, pages);
  return within.filter(({ target }) => {
    const key = treeKeyOf(target);
    if (key === undefined || !found.has(key)) return true;
    if (target.kind !== 'anchor') return false;
    return !namesOneOf(target.anchor, anchors.get(idIn(key)) ?? new Set());
  });
}

/** The key of what a target is in the tree of its space. */
export function treeKeyOf(target: Target): string | undefined {
  switch (target.kind) {
    case 'page':
      return keys.page(target.page);
    case 'anchor':
      return target.page === undefined ? undefined : keys.page(target.page);
    case 'file':
      return keys.file(target.file);
    case 'reusable-content':
      return keys.reusableContent(target.reusableContent);
    default:
      return undefined;
  }
}
