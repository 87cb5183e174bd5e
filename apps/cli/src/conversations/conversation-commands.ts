import { AppError, conversationBounds } from '@scriptorium/contracts';
import { settings } from '@scriptorium/conversations/settings';
import { everyItem } from '../command-line/every-item.js';
import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput, type OrganizationPlace } from '../openapi/place.js';
import { StopError } from '../stop-error.js';
import { readConversations } from './sources/read-conversations.js';
import type { FoundConversation } from './sources/sent-conversation.js';

/** Bytes of one request, with room for what stands around the conversations. */
const mostBytes = 8 * 1024 * 1024;
const pageSize = 100;
const dayMs = 86_400_000;

/** What is sent, and from which of the conversations of the file on. */
interface IngestInput extends CommandInput {
  file: string;
  /** Addresses and domains of the own people, for mailboxes. */
  team: readonly string[];
  skip: number;
  now: number;
}

/**
 * `scriptorium conversations ingest`: sends the conversations of a file. What was sent before is the same or replaced,
 * so a command that broke off is just repeated, or goes on behind what was sent.
 */
export async function ingestCommand(input: IngestInput): Promise<void> {
  const { found, warnings } = await readConversations(input.file, input);
  for (const line of warnings) input.write(`${line}\n`);
  const { client, organizationId } = await placeOf(input);
  let sent = Math.min(input.skip, found.length);
  for (const batch of batches(found.slice(sent))) {
    const body = batch.map(({ conversation }) => conversation);
    await client
      .ingestConversation({ params: { organizationId }, body })
      .catch((error: unknown) => explain(located(error, batch)))
      .catch((error: unknown) => goingOn(error, sent));
    sent += body.length;
    input.answer({ sent, total: found.length }, `${sent} of ${found.length}\n`);
  }
  tellOfOld(found, input);
}

/** Tells how many an installation with the settings of this one takes, but does not keep. */
function tellOfOld(found: readonly FoundConversation[], { environment, now, write }: IngestInput): void {
  const days = settings.CONVERSATIONS_KEEP_DAYS.catch(0).parse(environment['CONVERSATIONS_KEEP_DAYS']);
  const isOld = ({ conversation }: FoundConversation) =>
    Date.parse(conversation.metadata?.createdAt ?? '') < now - days * dayMs;
  const old = days === 0 ? 0 : found.filter(isOld).length;
  if (old === 0) return;
  write(`${old} of ${found.length} are older than ${days} days (CONVERSATIONS_KEEP_DAYS): they are not kept\n`);
}

/** The refusal with the places of the file instead of those of the request. */
function located(error: unknown, batch: readonly FoundConversation[]): unknown {
  if (!(error instanceof AppError) || error.details.length === 0) return error;
  const details = error.details.map(({ path, message }) => {
    const [, index = '', rest = ''] = /^body[.[]?(\d+)\]?\.?(.*)$/.exec(path) ?? [];
    const where = index === '' ? undefined : batch[Number(index)]?.where;
    return { path: where === undefined ? path : `${where}${rest === '' ? '' : ` ${rest}`}`, message };
  });
  return new AppError(error.reason, details);
}

/** Tells what was sent before, so that nobody has to send it again. */
function goingOn(error: unknown, sent: number): never {
  if (sent === 0 || !(error instanceof StopError)) throw error;
  throw new StopError(`${error.message}; ${sent} were sent: go on behind them with --skip ${sent}`, error);
}

function* batches(all: readonly FoundConversation[]): Generator<FoundConversation[]> {
  let batch: FoundConversation[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = Buffer.byteLength(JSON.stringify(one.conversation));
    if (batch.length === conversationBounds.conversations || (batch.length > 0 && bytes + size > mostBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Which clusters are listed. */
interface ClustersInput extends CommandInput {
  order: ClusterOrder;
  min: number;
  /** Only what began since then counts. */
  since: string | undefined;
}

/** `scriptorium conversations clusters`: one line for each cluster. */
export async function clustersCommand(input: ClustersInput): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  for (let page: string | undefined, more = true; more;) {
    const query = {
      limit: pageSize,
      orderBy: input.order,
      minIssues: input.min,
      ...(input.since !== undefined && { since: input.since }),
      ...(page !== undefined && { page }),
    };
    const list = await client.listConversationsIssuesClusters({ params: { organizationId }, query }).catch(explain);
    for (const cluster of list.items) {
      const { id, label, stats, weeklyPulse } = cluster;
      const line = [id, stats.issues, stats.conversations, weeklyPulse.join(' '), label].join('\t');
      input.answer(cluster, `${line}\n`);
    }
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
  const { items } = await client.listIssuesInConversationsCluster({ params, query: { limit: 20 } }).catch(explain);
  const lines = [
    label,
    summary,
    `${stats.issues} issues of ${stats.conversations} conversations; weeks: ${weeklyPulse.join(' ')}`,
    `change requests: ${changeRequests.open} open, ${changeRequests.merged} merged`,
    ...items.map(({ issue }) => `- ${issue.title}`),
  ];
  input.answer({ ...cluster, issues: items }, `${lines.join('\n')}\n`);
}

/** `scriptorium conversations export`: the issues of a cluster with their conversations, one a line as JSON. */
export async function exportCommand(input: CommandInput & { cluster: string }): Promise<void> {
  const place = await placeOf(input);
  for await (const issue of issuesOf(place, input.cluster)) input.answer(issue, `${JSON.stringify(issue)}\n`);
}

async function* issuesOf({ client, organizationId }: OrganizationPlace, clusterId: string): AsyncGenerator<object> {
  const read = (cursor: { page?: string }) =>
    client
      .listIssuesInConversationsCluster({
        params: { organizationId, clusterId },
        query: { limit: pageSize, ...cursor },
      })
      .catch(explain);
  yield* everyItem(read);
}

/** `scriptorium conversations delete`: deletes a conversation with its texts and issues. */
export async function deleteConversationCommand(input: CommandInput & { conversation: string }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, conversationId: input.conversation };
  const isDeleted = await client.deleteConversationById({ params }).catch(explain);
  const text = isDeleted ? `Deleted ${input.conversation}\n` : `There was no ${input.conversation}\n`;
  input.answer({ id: input.conversation, deleted: isDeleted }, text);
}
