import { AppError, invalid, type Conversation, type ConversationWithParts } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { conversationsIn, findCluster, within, type Period } from '../clusters/index.js';
import { findTexts, type TextPlace } from '../texts/index.js';
import { bodyOf, headOf, type ConversationBody, type ConversationHead } from './conversation-text.js';
import { conversations, type ConversationDocument } from './conversation.projection.js';
import { externalKey } from './names.process.js';
import { readable } from './readable.process.js';

type StoredConversation = Stored<ConversationDocument>;

export interface ConversationFilter extends Period {
  source?: string | undefined;
  externalId?: string | undefined;
  processed?: boolean | undefined;
  cluster?: string | undefined;
}

/** The conversation of an organization that has an id. */
export async function findConversation(
  { store }: Pick<Scope, 'store'>,
  { organizationId, conversationId }: { organizationId: string; conversationId: string },
): Promise<StoredConversation | null> {
  const found = await store.read(conversations).byId(conversationId);
  return found?.organization === organizationId ? found : null;
}

/**
 * The conversations of an organization, the newest first.
 * @throws AppError `invalid_request` for a time that ends before it begins, and for too large a cluster
 */
export async function listConversationsOf(
  scope: Scope,
  organization: string,
  { operation, page, limit, ...filter }: PageRequest & { operation: string } & ConversationFilter,
): Promise<Page<Conversation>> {
  const { from, to, cluster } = filter;
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from))
    throw invalid('query.to', 'Must not be before from');
  const found = await findPage<ConversationDocument>(scope.cursors, {
    model: scope.store.read(conversations),
    filter: {
      ...filterOf(scope, organization, filter),
      ...(cluster === undefined ? {} : { _id: { $in: await inCluster(scope, organization, { ...filter, cluster }) } }),
    },
    sort: 'createdAt',
    binding: { operation, scope: { organization, ...filter }, order: 'desc' },
    request: { page, limit },
  });
  return { ...found, items: await showConversations(scope, found.items) };
}

/** Those of a cluster; of one that was merged, those of the cluster that has its issues. */
async function inCluster(
  { store }: Scope,
  organizationId: string,
  { cluster, ...period }: Period & { cluster: string },
): Promise<string[]> {
  const living = await findCluster({ store }, { organizationId, clusterId: cluster });
  return living === null ? [] : conversationsIn(store, living._id, period);
}

function filterOf(
  scope: Scope,
  organization: string,
  { source, externalId, processed, ...period }: ConversationFilter,
): Filter<StoredConversation> {
  return {
    organization,
    ...(source === undefined ? {} : { source }),
    ...(externalId === undefined ? {} : { key: externalKey(scope, organization, externalId) }),
    ...(processed === undefined ? {} : { processed }),
    ...within(period),
  };
}

function placeOf({ _id: owner, organization, text }: StoredConversation): TextPlace {
  return { organization, owner, text };
}

/** Conversations as they are answered. One whose texts are being deleted is left out. */
export async function showConversations(scope: Scope, docs: readonly StoredConversation[]): Promise<Conversation[]> {
  const heads = await findTexts(
    scope,
    docs.map((doc) => headOf(placeOf(doc))),
  );
  return docs.flatMap((doc, index) => {
    const head = heads[index] as ConversationHead | undefined;
    return head === undefined ? [] : [showConversation(scope, doc, head)];
  });
}

function showConversation(
  { urls }: Pick<Scope, 'urls'>,
  { _id: id, organization, source, createdAt, ingestedAt, processedAt }: StoredConversation,
  { externalId, subject, url }: ConversationHead,
): Conversation {
  return {
    object: 'conversation',
    id,
    externalId,
    ...(subject === undefined ? {} : { subject }),
    createdAt,
    ingestedAt,
    ...(processedAt === null ? {} : { processedAt }),
    source,
    urls: {
      location: `${urls.api}/orgs/${organization}/conversations/${id}`,
      ...(url === undefined ? {} : { source: url }),
    },
  };
}

/** A conversation with what was said in it. @throws AppError `not_found` */
export async function getConversation(
  scope: Scope,
  params: { organizationId: string; conversationId: string },
): Promise<ConversationWithParts> {
  const doc = await findConversation(scope, params);
  const [head, body] = doc === null ? [] : await findTexts(scope, [headOf(placeOf(doc)), bodyOf(placeOf(doc))]);
  if (doc === null || head === undefined || body === undefined) throw new AppError('not_found');
  const { url } = head as ConversationHead;
  const { parts, attributes } = body as ConversationBody;
  return {
    conversation: showConversation(scope, doc, head as ConversationHead),
    parts: await readable(scope, parts),
    metadata: { ...(url === undefined ? {} : { url }), attributes, createdAt: doc.createdAt },
  };
}

/** Whether conversations of an organization wait for their issues to be found. */
export async function isAnalysing({ store }: Pick<Scope, 'store'>, organization: string): Promise<boolean> {
  return (await store.read(conversations).findOne({ organization, processed: false })) !== null;
}
