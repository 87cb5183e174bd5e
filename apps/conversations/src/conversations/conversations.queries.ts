import { AppError, type Conversation, type ConversationWithParts } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { findTexts, type TextPlace } from '../texts/index.js';
import { bodyOf, headOf, type ConversationBody, type ConversationHead } from './conversation-text.js';
import { conversations, type ConversationDocument } from './conversation.projection.js';
import { externalKey } from './names.process.js';
import { readable } from './readable.process.js';

type StoredConversation = Stored<ConversationDocument>;

export interface ConversationFilter {
  source?: string | undefined;
  externalId?: string | undefined;
  processed?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The conversation of an organization that has an id. */
export async function findConversation(
  { store }: Pick<Scope, 'store'>,
  { organizationId, conversationId }: { organizationId: string; conversationId: string },
): Promise<StoredConversation | null> {
  const found = await store.read(conversations).byId(conversationId);
  return found?.organization === organizationId ? found : null;
}

/** The conversations of an organization, the newest first. */
export async function listConversationsOf(
  scope: Scope,
  organization: string,
  { operation, page, limit, ...filter }: PageRequest & { operation: string } & ConversationFilter,
): Promise<Page<Conversation>> {
  const found = await findPage<ConversationDocument>(scope.cursors, {
    model: scope.store.read(conversations),
    filter: filterOf(scope, organization, filter),
    sort: 'createdAt',
    binding: { operation, scope: { organization, ...filter }, order: 'desc' },
    request: { page, limit },
  });
  return { ...found, items: await showConversations(scope, found.items) };
}

function filterOf(
  scope: Scope,
  organization: string,
  { source, externalId, processed, from, to }: ConversationFilter,
): Filter<StoredConversation> {
  const since = from === undefined ? {} : { $gte: new Date(from).toISOString() };
  const until = to === undefined ? {} : { $lt: new Date(to).toISOString() };
  return {
    organization,
    ...(source === undefined ? {} : { source }),
    ...(externalId === undefined ? {} : { key: externalKey(scope, organization, externalId) }),
    ...(processed === undefined ? {} : { processed }),
    ...(from === undefined && to === undefined ? {} : { createdAt: { ...since, ...until } }),
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
