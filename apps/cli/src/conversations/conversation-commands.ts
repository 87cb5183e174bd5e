import { conversationBounds } from '@scriptorium/contracts';
import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput, type OrganizationPlace } from '../openapi/place.js';
import { readConversations, type SentConversation } from './read-conversations.js';

/** Bytes of one request, with room for what stands around the conversations. */
const mostBytes = 8 * 1024 * 1024;
const pageSize = 100;

/**
 * `scriptorium conversations ingest`: sends the conversations of a file. What was sent before is the same or replaced,
 * so a command that broke off is just repeated.
 */
export async function ingestCommand(input: CommandInput & { file: string }): Promise<void> {
  const conversations = await readConversations(input.file);
  const { client, organizationId } = await placeOf(input);
  let sent = 0;
  for (const body of batches(conversations)) {
    await client.ingestConversation({ params: { organizationId }, body }).catch(explain);
    sent += body.length;
    input.write(`${sent} of ${conversations.length}\n`);
  }
}

function* batches(all: readonly SentConversation[]): Generator<SentConversation[]> {
  let batch: SentConversation[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = Buffer.byteLength(JSON.stringify(one));
    if (batch.length === conversationBounds.conversations || (batch.length > 0 && bytes + size > mostBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** `scriptorium conversations clusters`: one line for each cluster. */
export async function clustersCommand(input: CommandInput & { order: ClusterOrder; min: number }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  for (let page: string | undefined, more = true; more;) {
    const query = { limit: pageSize, orderBy: input.order, minIssues: input.min, ...(page !== undefined && { page }) };
    const list = await client.listConversationsIssuesClusters({ params: { organizationId }, query }).catch(explain);
    for (const { id, label, stats, weeklyPulse } of list.items)
      input.write(`${[id, stats.issues, stats.conversations, weeklyPulse.join(' '), label].join('\t')}\n`);
    page = list.next?.page;
    more = page !== undefined;
  }
}
export type ClusterOrder = 'updatedAt' | 'issues' | 'conversations';

/** `scriptorium conversations show`: a cluster and its newest issues. */
export async function showClusterCommand(input: CommandInput & { cluster: string }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, clusterId: input.cluster };
  const cluster = await client.getConversationsIssuesClusterById({ params }).catch(explain);
  const { label, summary, stats, changeRequests, weeklyPulse } = cluster;
  input.write(`${label}\n${summary}\n`);
  input.write(`${stats.issues} issues of ${stats.conversations} conversations; weeks: ${weeklyPulse.join(' ')}\n`);
  input.write(`change requests: ${changeRequests.open} open, ${changeRequests.merged} merged\n`);
  const { items } = await client.listIssuesInConversationsCluster({ params, query: { limit: 20 } }).catch(explain);
  for (const { issue } of items) input.write(`- ${issue.title}\n`);
}

/** `scriptorium conversations export`: the issues of a cluster with their conversations, one a line as JSON. */
export async function exportCommand(input: CommandInput & { cluster: string }): Promise<void> {
  const place = await placeOf(input);
  for await (const line of issuesOf(place, input.cluster)) input.write(`${line}\n`);
}

async function* issuesOf({ client, organizationId }: OrganizationPlace, clusterId: string): AsyncGenerator<string> {
  let page: string | undefined;
  do {
    const query = { limit: pageSize, ...(page !== undefined && { page }) };
    const params = { organizationId, clusterId };
    const list = await client.listIssuesInConversationsCluster({ params, query }).catch(explain);
    for (const item of list.items) yield JSON.stringify(item);
    page = list.next?.page;
  } while (page !== undefined);
}

/** `scriptorium conversations delete`: deletes a conversation with its texts and issues. */
export async function deleteConversationCommand(input: CommandInput & { conversation: string }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, conversationId: input.conversation };
  const isDeleted = await client.deleteConversationById({ params }).catch(explain);
  input.write(isDeleted ? `Deleted ${input.conversation}\n` : `There was no ${input.conversation}\n`);
}
