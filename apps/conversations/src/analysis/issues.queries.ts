import {
  cosine,
  createCentroids,
  sharedTerms,
  termsEmbedder,
  vectorOf,
  weightsOf,
  type ExtractedIssue,
} from '@scriptorium/clustering';
import { AppError, type ConversationIssue, type IssueWithConversation } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { issues, newestIssues, type IssueDocument } from '../clusters/index.js';
import { conversations, showConversations } from '../conversations/index.js';
import { findCentroid } from './centroids.operational.js';
import { readIssues } from './issue-texts.process.js';
import { weightTableOf } from './weights.operational.js';

/** Issues of a cluster whose words are compared with those of one of them. */
const mostCompared = 50;

type StoredIssue = Stored<IssueDocument>;
type Params = { organizationId: string; issueId: string };

/** The issue of an organization that has an id. */
export async function findIssue({ store }: Pick<Scope, 'store'>, params: Params): Promise<StoredIssue | null> {
  const found = await store.read(issues).byId(params.issueId);
  return found?.organization === params.organizationId ? found : null;
}

/** Issues of an organization, of a cluster or of a conversation, the newest first. */
export async function listIssuesOf(
  scope: Scope,
  filter: { organization: string; cluster?: string | undefined; conversation?: string | undefined },
  { operation, page, limit }: PageRequest & { operation: string },
): Promise<Page<IssueWithConversation>> {
  const { organization, cluster, conversation } = filter;
  const wanted: Filter<StoredIssue> = {
    organization,
    ...(cluster === undefined ? {} : { cluster }),
    ...(conversation === undefined ? {} : { conversation }),
  };
  const found = await findPage<IssueDocument>(scope.cursors, {
    model: scope.store.read(issues),
    filter: wanted,
    sort: 'createdAt',
    binding: { operation, scope: { ...filter }, order: 'desc' },
    request: { page, limit },
  });
  return { ...found, items: await showIssues(scope, found.items) };
}

/** Issues as they are answered. One whose texts are being deleted is left out. */
async function showIssues(scope: Scope, docs: readonly StoredIssue[]): Promise<IssueWithConversation[]> {
  const read = await readIssues(scope, docs);
  const ids = [...new Set(docs.map(({ conversation }) => conversation))];
  const shown = await showConversations(scope, await scope.store.read(conversations).byIds(ids));
  const known = new Map(shown.map((one) => [one.id, one]));
  return read.flatMap(({ doc, issue }) => {
    const conversation = known.get(doc.conversation);
    return conversation === undefined ? [] : [{ issue: showIssue(scope, doc, issue), conversation }];
  });
}

function showIssue(
  { urls }: Pick<Scope, 'urls'>,
  doc: StoredIssue,
  { title, summary }: ExtractedIssue,
): ConversationIssue {
  const { _id: id, organization, conversation, cluster, similarity, moved, createdAt, ingestedAt, analyzer } = doc;
  return {
    object: 'conversation-issue',
    id,
    title,
    summary,
    createdAt,
    ingestedAt,
    conversation,
    ...(cluster === null ? {} : { cluster }),
    ...(cluster === null || moved ? {} : { similarity }),
    analyzer,
    urls: { location: `${urls.api}/orgs/${organization}/conversations-issues/${id}` },
  };
}

/** An issue with its conversation, and why it is in its cluster. @throws AppError `not_found` */
export async function getIssue(scope: Scope, params: Params): Promise<IssueWithConversation> {
  const doc = await findIssue(scope, params);
  const [shown] = doc === null ? [] : await showIssues(scope, [doc]);
  if (doc === null || shown === undefined) throw new AppError('not_found');
  const why = await sharedWith(scope, doc);
  return why.length === 0 ? shown : { ...shown, issue: { ...shown.issue, why } };
}

/** The words that an issue shares with the centroid of its cluster. */
async function sharedWith(scope: Scope, doc: StoredIssue): Promise<string[]> {
  const { organization, cluster: id } = doc;
  if (id === null) return [];
  const { table } = await weightTableOf(scope, organization);
  const weights = weightsOf(table);
  const stored = await findCentroid(scope, { organization, id }, { version: termsEmbedder(weights).version });
  const [read] = await readIssues(scope, [doc]);
  if (read === undefined) return [];
  const centroids = createCentroids('terms', stored === undefined ? [] : [stored]);
  // That of a model has no words: those of the newest issues tell what the cluster is about.
  if (stored === undefined)
    for (const { issue } of await readIssues(scope, await newestIssues(scope.store, id, mostCompared)))
      centroids.add(1, vectorOf(issue.terms, weights));
  const vector = vectorOf(read.issue.terms, weights);
  const centroid = centroids.centroidOf(stored?.cluster ?? 1);
  return centroid === undefined || cosine(vector, centroid) === 0 ? [] : sharedTerms(vector, centroid);
}
