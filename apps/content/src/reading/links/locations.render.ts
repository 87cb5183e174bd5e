import { referTo, type ContentLocation, type EmbeddedRevision } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { getCollection } from '../../library/index.js';
import { getEmbeddedRevision, renderAlone, shownFile, type ContentView } from '../content/index.js';
import { findPages, keys, type FileRecord, type ReusableContentRecord } from '../../versions/index.js';
import type { Judge, OtherSpaces } from './other-spaces.queries.js';
import type { LinkPlace } from './revision-links.js';
import type { Target } from './target.js';

/** Renders places in the content of one view. What they have in common is read once. */
export interface Locations {
  /** `undefined` for a place that is not there. */
  placeOf(place: Pick<LinkPlace, 'kind' | 'id' | 'node'>): ContentLocation | undefined;
  targetOf(target: Target): ContentLocation | undefined;
}

interface Content {
  view: ContentView;
  revision: EmbeddedRevision;
  pages: Awaited<ReturnType<typeof renderAlone>>;
  /** Files and reusable contents, by their keys in the tree. */
  others: ReadonlyMap<string, unknown>;
}

/** Reads what places and targets in a view are. */
export async function readLocations(
  scope: Scope,
  view: ContentView,
  places: readonly Pick<LinkPlace, 'kind' | 'id'>[],
  targets: readonly Target[],
): Promise<Locations> {
  const pages = [
    ...places.flatMap(({ kind, id }) => (kind === 'page' ? id : [])),
    ...targets.flatMap((target) =>
      (target.kind === 'page' || target.kind === 'anchor') && target.page !== undefined ? target.page : [],
    ),
  ];
  const others = [
    ...places.flatMap(({ kind, id }) => (kind === 'page' ? [] : keys.reusableContent(id))),
    ...targets.flatMap((target) => otherKeyOf(target) ?? []),
  ];
  const found = await findPages(view.tree, [...new Set(pages)]);
  const content: Content = {
    view,
    revision: await getEmbeddedRevision(scope, view),
    pages: await renderAlone(view, [...found.values()], scope.urls),
    others: await view.tree.getMany([...new Set(others)]),
  };
  return {
    placeOf: (place) => shownPlace(content, place),
    targetOf: (target) => shownTarget(content, target),
  };
}

function otherKeyOf(target: Target): string | undefined {
  if (target.kind === 'file') return keys.file(target.file);
  return target.kind === 'reusable-content' ? keys.reusableContent(target.reusableContent) : undefined;
}

function versioned({ view, revision }: Content) {
  return {
    organization: { object: 'organization' as const, id: view.organization },
    space: referTo('space', view.space),
    versionContext: { type: 'revision' as const, revision },
  };
}

function shownPlace(content: Content, { kind, id, node }: Pick<LinkPlace, 'kind' | 'id' | 'node'>) {
  const internal = node === undefined ? {} : { internalLocation: { type: 'node' as const, node } };
  const shown =
    kind === 'page' ? pageAt(content, id) : otherAt(content, { kind: 'reusable-content', reusableContent: id });
  return shown === undefined ? undefined : { ...shown, ...internal };
}

function shownTarget(content: Content, target: Target): ContentLocation | undefined {
  if (target.kind === 'page') return pageAt(content, target.page);
  if (target.kind !== 'anchor') return otherAt(content, target);
  const page = target.page === undefined ? undefined : pageAt(content, target.page);
  return page === undefined
    ? undefined
    : { ...page, internalLocation: { type: 'anchor' as const, anchor: target.anchor } };
}

function pageAt(content: Content, id: string) {
  const page = content.pages.get(id);
  return page === undefined ? undefined : { kind: 'page' as const, ...versioned(content), page };
}

function otherAt(content: Content, target: Target): ContentLocation | undefined {
  const record = content.others.get(otherKeyOf(target) ?? '');
  if (record === undefined) return undefined;
  if (target.kind === 'file') {
    const file = shownFile(content.view, target.file, record as FileRecord);
    return { kind: 'file', ...versioned(content), file };
  }
  if (target.kind !== 'reusable-content') return undefined;
  const { title } = record as ReusableContentRecord;
  return {
    kind: 'reusable-content',
    ...versioned(content),
    reusableContent: { id: target.reusableContent, title },
  };
}

/** What is not in the content of a space: spaces, collections, people, addresses. */
export async function outsideTarget(
  scope: Scope,
  { access, principal }: Judge,
  view: ContentView,
  { nodes }: OtherSpaces,
  target: Target,
): Promise<ContentLocation | undefined> {
  const organization = { object: 'organization' as const, id: view.organization };
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url };
    case 'user':
      return { kind: 'user', user: referTo('user', target.user) };
    case 'space':
      return nodes.has(target.space)
        ? { kind: 'space', organization, space: referTo('space', target.space) }
        : undefined;
    case 'collection': {
      if (!nodes.has(target.collection)) return undefined;
      const collection = await getCollection(scope, access, principal, target.collection);
      return { kind: 'collection', organization, collection };
    }
    default:
      return undefined;
  }
}
