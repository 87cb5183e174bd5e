import { clusterIcon } from '@scriptorium/clustering';
import type { IssuesClusterDescription } from '@scriptorium/contracts';
import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { dropTexts, findTexts, storeTexts, type TextPart } from '../texts/index.js';
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

/** Stores descriptions. One of the same name is replaced: it was made for a state that is not the present one. */
export async function storeDescriptions(
  scope: Pick<Scope, 'database'>,
  organization: string,
  all: readonly { cluster: string; text: string; description: Description }[],
): Promise<void> {
  await dropReplaced(scope, organization, all);
  await storeTexts(
    scope,
    all.map(({ cluster, text, description }) => ({ ...partOf(organization, cluster, text), value: description })),
  );
}

/** Deletes all descriptions of clusters. */
export async function dropDescriptions(
  scope: Pick<Scope, 'database'>,
  organization: string,
  clusters: readonly string[],
): Promise<void> {
  await dropTexts(
    scope,
    clusters.map((cluster) => ({ organization, owner: ownerOf(cluster) })),
  );
}

/** Deletes one description of each of these clusters. */
export async function dropReplaced(
  scope: Pick<Scope, 'database'>,
  organization: string,
  replaced: readonly { cluster: string; text: string }[],
): Promise<void> {
  await dropTexts(
    scope,
    replaced.map(({ cluster, text }) => ({ organization, owner: ownerOf(cluster), text })),
  );
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
  organization: string,
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
