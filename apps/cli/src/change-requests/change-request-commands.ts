import { createClient, type Client, type ContentConflict, type SemanticChange } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { everyItem } from '../command-line/every-item.js';
import { linesOf } from '../command-line/lines.js';
import { exitCodes } from '../exit-codes.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';

export interface SpaceInput extends CommandContext {
  space: string;
}

/** A command about one change request, by its id or its number. */
export interface ChangeRequestInput extends SpaceInput {
  changeRequest: string;
}

/** What one answer may have, and so what is shown. */
const mostChanges = 1_000;

/** `scriptorium change-request list`: one line for each open change request. */
export async function listCommand({ space: spaceId, environment, answer }: SpaceInput): Promise<void> {
  const client = createClient(await addressOf(environment));
  const read = (cursor: { page?: string }) =>
    client.listChangeRequestsForSpace({ params: { spaceId }, query: { limit: 100, ...cursor } }).catch(explain);
  for await (const request of everyItem(read)) {
    const { number, status, subject, createdBy } = request;
    answer(request, `${[number, status, subject, nameOf(createdBy)].join('\t')}\n`);
  }
}

/**
 * `scriptorium change-request open`: prints the number of the open change request with a subject, and opens one if
 * there is none, so that a pipeline can run again.
 */
export async function openCommand(input: SpaceInput & { subject: string }): Promise<void> {
  const { space: spaceId, subject, environment, answer } = input;
  const client = createClient(await addressOf(environment));
  const read = (cursor: { page?: string }) =>
    client.listChangeRequestsForSpace({ params: { spaceId }, query: { limit: 100, ...cursor } }).catch(explain);
  for await (const request of everyItem(read))
    if (request.subject === subject) return answer(request, `${request.number}\n`);
  const { id: changeRequestId } = await client
    .createChangeRequest({ params: { spaceId }, body: { subject } })
    .catch(explain);
  const params = { spaceId, changeRequestId };
  const request = await client.updateChangeRequestById({ params, body: { status: 'open' } }).catch(explain);
  answer(request, `${request.number}\n`);
}

/** `scriptorium change-request show`: what it says of itself, and one line for each change. */
export async function showCommand(input: ChangeRequestInput): Promise<void> {
  const { client, params } = await placeOf(input);
  const request = await client.getChangeRequestById({ params }).catch(explain);
  const { changes, more } = await client
    .getChangeRequestSemanticChanges({ params, query: { limit: mostChanges } })
    .catch(explain);
  const { number, status, subject, createdBy, updatedAt, comments, outdated, urls } = request;
  const facts = {
    number,
    status,
    subject,
    author: nameOf(createdBy),
    updated: updatedAt,
    comments,
    outdated: outdated ? 'the space has newer content' : undefined,
    url: urls.app,
  };
  const lines = changes.map((change) => `  ${changeOf(change)}\n`);
  const rest = more === undefined ? '' : `  and ${more} more\n`;
  input.answer({ ...request, changes, more }, `${linesOf(facts)}changes:\n${lines.join('')}${rest}`);
}

function changeOf(change: SemanticChange): string {
  const kind = change.type.replaceAll('_', ' ');
  if ('page' in change)
    return `${kind}: ${change.page.title}${change.page.path === undefined ? '' : ` (${change.page.path})`}`;
  if ('file' in change) return `${kind}: ${change.file.name}`;
  return 'reusableContent' in change ? `${kind}: ${change.reusableContent.title}` : kind;
}

/**
 * `scriptorium change-request diff`: what changes in texts, as a unified diff.
 * @throws StopError also when it does not show everything
 */
export async function diffCommand(input: ChangeRequestInput): Promise<void> {
  const { client, params } = await placeOf(input);
  const query = { limit: mostChanges, format: 'diff' } as const;
  const { diffs = [], more } = await client.getChangeRequestSemanticChanges({ params, query }).catch(explain);
  for (const diff of diffs) {
    const { page, reusableContent, unified } = diff;
    const name = page?.path ?? page?.title ?? reusableContent?.title ?? '';
    input.answer(diff, unified ?? `# ${name} is not shown: its diff, or all diffs together, would be too long\n`);
  }
  const hidden = diffs.filter(({ unified }) => unified === undefined).length;
  const left = [
    ...(hidden > 0 ? [`${hidden} of ${diffs.length} texts`] : []),
    ...(more === undefined ? [] : [`${more} more changes`]),
  ];
  if (left.length === 0) return;
  throw new StopError(`the diff is not complete: ${left.join(' and ')} are not shown`, undefined, exitCodes.problems);
}

/**
 * `scriptorium change-request merge`: merges it into its space.
 * @throws StopError also when both sides changed the same, with each conflict
 */
export async function mergeCommand(input: ChangeRequestInput): Promise<void> {
  const { client, params } = await placeOf(input);
  const merged = await client.mergeChangeRequest({ params }).catch(explain);
  if (merged.result === 'merge') return input.answer(merged, `merged as revision ${merged.revision}\n`);
  const { conflicts = [] } = merged;
  input.answer(merged, conflicts.map((one) => `conflict: ${one.kind} of ${placeOfConflict(one)}\n`).join(''));
  const message = `${conflicts.length} conflicts: the space and the change request both changed the same`;
  throw new StopError(message, undefined, exitCodes.problems);
}

function placeOfConflict(conflict: ContentConflict): string {
  if (conflict.object === 'page-conflict')
    return [conflict.page.path ?? conflict.page.title, conflict.attribute].filter(Boolean).join(' ');
  if (conflict.object === 'file-conflict') return conflict.file.name;
  return conflict.object === 'variable-conflict' ? `variable ${conflict.variable}` : conflict.reusableContent.title;
}

interface Place {
  client: Client;
  params: { spaceId: string; changeRequestId: string };
}

async function placeOf({ environment, space, changeRequest }: ChangeRequestInput): Promise<Place> {
  const client = createClient(await addressOf(environment));
  return { client, params: { spaceId: space, changeRequestId: changeRequest } };
}

/** What a person is called; the id where the caller may not see more. */
function nameOf(person: { id: string; displayName?: string }): string {
  return person.displayName ?? person.id;
}
