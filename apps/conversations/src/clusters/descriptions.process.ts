import { clusterIcon } from '@scriptorium/clustering';
import type { IssuesClusterDescription } from '@scriptorium/contracts';
import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { findTexts, storeTexts, type TextPart } from '../texts/index.js';
import type { ClusterEvent } from './cluster.events.js';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import type { IssueDocument } from './issue.projection.js';

/** Label and summary of a cluster, and the issues from which they were made. */
export interface Description extends IssuesClusterDescription {
  /** Empty for one that a person wrote. */
  of: string[];
}

/** Texts of clusters stand beside those of conversations. No conversation has such an id. */
const ownerOf = (cluster: string): string => `~${cluster}`;

function partOf(organization: string, cluster: string, text: string): TextPart {
  return { place: { organization, owner: ownerOf(cluster), text }, part: 'label' };
}

/** The cluster to which a text belongs, if it is the description of one. */
export function clusterOfText({ place: { owner } }: TextPart): string | undefined {
  return owner.startsWith(ownerOf('')) ? owner.slice(ownerOf('').length) : undefined;
}

/** Stores descriptions, each under a name of its own, before the events that name them. */
export async function storeDescriptions(
  scope: Pick<Scope, 'database' | 'now'>,
  organization: string,
  all: readonly { cluster: string; text: string; description: Description }[],
): Promise<void> {
  await storeTexts(
    scope,
    all.map(({ cluster, text, description }) => ({ ...partOf(organization, cluster, text), value: description })),
  );
}

/** The descriptions that events name. */
export function describedBy(organization: string, events: readonly ClusterEvent[]): TextPart[] {
  return events.flatMap((event) =>
    event.type === 'ClusterDescribed' ? [partOf(organization, event.data.cluster, event.data.text)] : [],
  );
}

/** The present descriptions that nothing names after these events. The read models show the state before them. */
export async function endedDescriptions(
  { store }: { store: Pick<StoreScope, 'read'> },
  organization: string,
  events: readonly ClusterEvent[],
): Promise<TextPart[]> {
  const named = new Set(events.flatMap((event) => (event.type === 'ClusterDescribed' ? [event.data.text] : [])));
  const docs = await store.read(clusterDocuments).byIds([...new Set(events.flatMap(undescribedBy))]);
  return docs.flatMap(({ _id, text }) => (text === null || named.has(text) ? [] : [partOf(organization, _id, text)]));
}

/** The clusters whose present description ends with an event. */
function undescribedBy(event: ClusterEvent): string[] {
  switch (event.type) {
    case 'ClusterRemoved':
    case 'ClusterDescribed':
      return [event.data.cluster];
    case 'ClustersMerged':
      return event.data.from;
    case 'IssuesRetracted':
      return event.data.undescribed;
    default:
      return [];
  }
}

/** The descriptions of clusters, in their order. One without a label yet is called by its number. */
export async function descriptionsOf(
  scope: Pick<Scope, 'database'>,
  docs: readonly Stored<ClusterDocument>[],
): Promise<Description[]> {
  const found = await findTexts(
    scope,
    docs.map(({ _id, organization, text }) => partOf(organization, _id, text ?? '')),
  );
  return docs.map(({ number }, index) => {
    const known = found[index] as Description | undefined;
    return known ?? { label: `Cluster ${number}`, summary: '', icon: clusterIcon, of: [] };
  });
}

/** Those clusters whose label was made from one of these issues. What a person wrote stays. */
export async function describedFrom(
  scope: Pick<Scope, 'database'> & { store: Pick<StoreScope, 'read'> },
  found: readonly Stored<IssueDocument>[],
): Promise<ReadonlySet<string>> {
  const gone = new Set(found.map(({ _id }) => _id));
  const touched = [...new Set(found.flatMap(({ cluster }) => cluster ?? []))];
  const docs = await scope.store.read(clusterDocuments).byIds(touched);
  const descriptions = await descriptionsOf(scope, docs);
  return new Set(
    docs.filter((_, index) => descriptions[index]?.of.some((issue) => gone.has(issue))).map(({ _id }) => _id),
  );
}
