import { AppError, invalid, type InputOf, type updateConversationsIssuesCluster } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { derivedId, type Call } from '@scriptorium/platform';
import { changeClusters, showRecorded } from './change-clusters.process.js';
import type { ClusterEvent } from './cluster.events.js';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { findCluster } from './clusters.queries.js';
import type { Clusters } from './clusters.js';
import { changedCounts } from './count-changes.js';
import { descriptionsOf, storeDescriptions } from './descriptions.process.js';
import { issues, type IssueDocument } from './issue.projection.js';
import { mergeEvent } from './merge.process.js';
import { byConversation, issuesOfConversations, placeOfIssue } from './places.queries.js';
import { removals } from './withdraw.process.js';

type Wanted = InputOf<typeof updateConversationsIssuesCluster>['body'];
type StoredCluster = Stored<ClusterDocument>;

/**
 * Changes a cluster as a person wants it, all of it or nothing. If it is merged into another one, that one gets the
 * texts and is pinned.
 * @throws AppError `invalid_request` naming `body.mergeInto`, `not_found`
 */
export async function changeCluster(call: Call, { _id: id, organization }: StoredCluster, wanted: Wanted) {
  await changeClusters(call, organization, 'change', async (state) => {
    const source = await call.store.read(clusterDocuments).byId(id);
    if (source?.mergedInto !== null) throw new AppError('not_found');
    const target = wanted.mergeInto === undefined ? source : await requireTarget(call, source, wanted.mergeInto);
    const merges = target === source ? [] : [await mergeEvent(call.store, { from: source, into: target }, 'user')];
    const size = source.issues + (target === source ? 0 : target.issues);
    return [...merges, ...(await described(call, { cluster: target, size, wanted, state })), ...pinned(target, wanted)];
  });
  await showRecorded(call.store);
}

async function requireTarget(call: Call, { _id: from, organization }: StoredCluster, into: string) {
  const target = await findCluster(call, { organizationId: organization, clusterId: into });
  if (target === null) throw invalid('body.mergeInto', 'Is no cluster of this organization');
  if (target._id === from) throw invalid('body.mergeInto', 'Is this cluster itself, or was merged into it');
  return target;
}

async function described(
  call: Call,
  { cluster, size, wanted, state }: { cluster: StoredCluster; size: number; wanted: Wanted; state: Clusters },
): Promise<ClusterEvent[]> {
  const { label, summary, icon } = wanted;
  if (label === undefined && summary === undefined && icon === undefined) return [];
  const { _id: id, organization } = cluster;
  const [present] = await descriptionsOf(call, [cluster]);
  const description = {
    label: label ?? present?.label ?? '',
    summary: summary ?? present?.summary ?? '',
    icon: icon ?? present?.icon ?? '',
    of: [],
  };
  const text = derivedId(call.idFor(`label of ${id}`), String(state.changes));
  if (!call.store.dry) await storeDescriptions(call, organization, [{ cluster: id, text, description }]);
  return [{ type: 'ClusterDescribed', data: { cluster: id, text, by: 'user', size } }];
}

function pinned({ _id: cluster, pinned: isPinned }: StoredCluster, { pinned: wanted }: Wanted): ClusterEvent[] {
  if (wanted === undefined || wanted === isPinned) return [];
  return [{ type: 'ClusterPinned', data: { cluster, pinned: wanted } }];
}

/** Moves issues to a cluster because a person says so. */
export async function moveIssues(
  call: Call,
  { _id: to, organization }: StoredCluster,
  ids: readonly string[],
): Promise<void> {
  await changeClusters(call, organization, 'move', async (state) => {
    const target = await call.store.read(clusterDocuments).byId(to);
    if (target?.mergedInto !== null) throw new AppError('not_found');
    const found = await requireIssues(call, organization, ids);
    const moving = new Set(found.filter(({ cluster }) => cluster !== to).map(({ _id }) => _id));
    if (moving.size === 0) return [];
    const conversations = [...new Set(found.map(({ conversation }) => conversation))];
    const before = (await issuesOfConversations(call.store, conversations)).map(placeOfIssue);
    const after = before.map((place) => (moving.has(place.issue) ? { ...place, cluster: to } : place));
    const counts = changedCounts(byConversation(before), byConversation(after));
    return [{ type: 'IssuesMoved', data: { issues: [...moving], to, counts } }, ...removals(state, counts)];
  });
  await showRecorded(call.store);
}

/** Issues of an organization. @throws AppError `invalid_request` naming the first that is none */
async function requireIssues(
  { store }: Call,
  organization: string,
  ids: readonly string[],
): Promise<Stored<IssueDocument>[]> {
  const found = (await store.read(issues).byIds(ids)).filter((issue) => issue.organization === organization);
  const known = new Set(found.map(({ _id }) => _id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0) throw invalid(`body.issues[${missing}]`, 'Is no issue of this organization');
  return found;
}
