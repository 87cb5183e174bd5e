import { AppError, invalid, type InputOf, type updateConversationsIssuesCluster } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import { changeClusters, showRecorded } from './change-clusters.process.js';
import { clusterDocuments, type ClusterDocument } from './cluster.projection.js';
import { findCluster } from './clusters.queries.js';
import { changedCounts } from './count-changes.js';
import { descriptionsOf, dropDescriptions, dropReplaced, storeDescriptions } from './descriptions.process.js';
import { issues, type IssueDocument } from './issue.projection.js';
import { mergeEvent } from './merge.process.js';
import { byConversation, issuesOfConversations, placeOfIssue } from './places.queries.js';
import { lostDescriptions, removals } from './withdraw.process.js';

type Wanted = InputOf<typeof updateConversationsIssuesCluster>['body'];
type StoredCluster = Stored<ClusterDocument>;

/** Changes a cluster as a person wants it: its texts, whether it is pinned, and last whether it is merged away. */
export async function changeCluster(call: Call, cluster: StoredCluster, wanted: Wanted): Promise<void> {
  await describe(call, cluster, wanted);
  await pin(call, cluster, wanted.pinned);
  if (wanted.mergeInto !== undefined) await merge(call, cluster, wanted.mergeInto);
  await showRecorded(call.store);
}

async function describe(call: Call, { _id: cluster, organization }: StoredCluster, wanted: Wanted): Promise<void> {
  const { label, summary, icon } = wanted;
  if (label === undefined && summary === undefined && icon === undefined) return;
  const text = call.idFor(`label of ${cluster}`);
  const replaced: { cluster: string; text: string }[] = [];
  await changeClusters(call.store, organization, 'describe', async () => {
    const [doc] = await call.store.read(clusterDocuments).byIds([cluster]);
    if (doc?.mergedInto !== null) throw new AppError('not_found');
    const [present] = await descriptionsOf(call, [doc]);
    const changed = {
      label: label ?? present?.label ?? '',
      summary: summary ?? present?.summary ?? '',
      icon: icon ?? present?.icon ?? '',
    };
    if (!call.store.dry)
      await storeDescriptions(call, organization, [{ cluster, text, description: { ...changed, of: [] } }]);
    replaced.splice(0, 1, ...(doc.text === null || doc.text === text ? [] : [{ cluster, text: doc.text }]));
    return [{ type: 'ClusterDescribed', data: { cluster, text, by: 'user', size: doc.issues } }];
  });
  if (!call.store.dry) await dropReplaced(call, organization, replaced);
}

async function pin(
  call: Call,
  { _id: cluster, organization }: StoredCluster,
  pinned: boolean | undefined,
): Promise<void> {
  if (pinned === undefined) return;
  await changeClusters(call.store, organization, 'pin', async () => {
    const doc = await call.store.read(clusterDocuments).byId(cluster);
    if (doc?.mergedInto !== null) throw new AppError('not_found');
    return doc.pinned === pinned ? [] : [{ type: 'ClusterPinned', data: { cluster, pinned } }];
  });
}

async function merge(call: Call, { _id: from, organization }: StoredCluster, into: string): Promise<void> {
  const { events } = await changeClusters(call.store, organization, 'merge', async () => {
    const target = await findCluster(call, { organizationId: organization, clusterId: into });
    if (target === null) throw invalid('body.mergeInto', 'Is no cluster of this organization');
    if (target._id === from) throw invalid('body.mergeInto', 'Is this cluster itself, or was merged into it');
    const source = await call.store.read(clusterDocuments).byId(from);
    if (source?.mergedInto !== null) return [];
    return [await mergeEvent(call.store, { from: source, into: target }, 'user')];
  });
  if (!call.store.dry && events.length > 0) await dropDescriptions(call, organization, [from]);
}

/** Moves issues to a cluster because a person says so. */
export async function moveIssues(
  call: Call,
  { _id: to, organization }: StoredCluster,
  ids: readonly string[],
): Promise<void> {
  const { events } = await changeClusters(call.store, organization, 'move', async (state) => {
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
  if (!call.store.dry) await dropDescriptions(call, organization, lostDescriptions(events));
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
