import {
  deleteConversationById,
  getConversationById,
  ingestConversation,
  listConversations,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { sourceOf } from './access.js';
import { getConversation, listConversationsOf } from './conversations.queries.js';
import { deleteConversation } from './delete.process.js';
import { ingestAll } from './ingest.process.js';
import { Retention } from './retention.js';

/** Conversations: taken in, listed, read, deleted. */
@Controller()
export class ConversationsController {
  constructor(
    private readonly context: ServiceContext,
    private readonly retention: Retention,
  ) {}

  @Handles(ingestConversation)
  async ingest({ params, body }: InputOf<typeof ingestConversation>, call: Call) {
    await ingestAll(call, Array.isArray(body) ? body : [body], {
      organization: params.organizationId,
      source: await sourceOf(call, call.principal),
      keptSince: this.retention.keptSince(),
      isList: Array.isArray(body),
      answers: this.context.idempotency,
    });
  }

  @Handles(listConversations)
  async list({ params, query }: InputOf<typeof listConversations>, call: Call) {
    return listConversationsOf(call, params.organizationId, { ...query, operation: call.operation });
  }

  @Handles(getConversationById)
  async get({ params }: InputOf<typeof getConversationById>, call: Call) {
    return getConversation(call, params);
  }

  @Handles(deleteConversationById)
  async delete({ params }: InputOf<typeof deleteConversationById>, call: Call) {
    return deleteConversation(call, this.context.idempotency, params);
  }
}
