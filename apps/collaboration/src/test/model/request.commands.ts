import { deepStrictEqual } from 'node:assert/strict';
import type * as fc from 'fast-check';
import type { Answer } from '../rig.js';
import { attempt, command, newWord, onRequest, pick, repeat, type Turn, type TurnOfRequest } from './command.js';
import { isSameContent, mergePages } from './content.js';
import {
  contributed,
  isRefusedBy,
  mayAtLeast,
  takenFrom,
  type Model,
  type Name,
  type Real,
  type Rule,
} from './model.js';
import { nameOf, writeCommands } from './write.commands.js';

const mostRequests = 5;
const mostWhileDeleted = 6;

async function create(turn: Turn): Promise<void> {
  const { model, who, some } = turn;
  const subject = some % 3 === 0 ? '' : newWord(model);
  const path = `${model.path}/change-requests`;
  const body = some % 6 === 0 ? {} : { subject };
  const answer = await attempt(turn, { method: 'POST', path, body }, mayAtLeast(who, 'edit') ? 201 : 403);
  if (answer === undefined) return;
  const { id, number, status, revision } = answer.body;
  const expected = { number: model.requests.length + 1, status: 'draft', revision: model.main.revision };
  deepStrictEqual({ number, status, revision }, expected);
  model.requests.push({
    id: String(id),
    path: `${path}/${some % 2 === 0 ? String(id) : String(number)}`,
    number: expected.number,
    author: who,
    status: 'draft',
    subject: some % 6 === 0 ? '' : subject,
    head: model.main,
    base: model.main,
    pending: null,
    merged: null,
    reviews: [],
    requested: new Map(),
    comments: [],
    contributions: new Map(),
  });
}

async function move(turn: TurnOfRequest): Promise<void> {
  const { request, who, part } = turn;
  const status = pick(['draft', 'open', 'archived'] as const, part);
  const isAuthor = who === request.author && mayAtLeast(who, 'edit');
  const may = mayAtLeast(who, 'review') || (isAuthor && request.status !== 'merged');
  const answer = await attempt(turn, { method: 'PATCH', path: request.path, body: { status } }, may ? 200 : 403);
  if (answer === undefined) return;
  deepStrictEqual(answer.body['status'], status);
  const { merged } = request;
  if (merged !== null) Object.assign(request, { head: merged, base: merged, merged: null, pending: null });
  request.status = status;
}

async function describeRequest(turn: TurnOfRequest): Promise<void> {
  const { request, who, model, some } = turn;
  const subject = some % 4 === 0 ? '' : newWord(model);
  const may = mayAtLeast(who, 'review') || who === request.author;
  const answer = await attempt(turn, { method: 'PATCH', path: request.path, body: { subject } }, may ? 200 : 403);
  if (answer !== undefined) request.subject = subject;
}

async function review(turn: TurnOfRequest): Promise<void> {
  const { request, who, some } = turn;
  const status = some % 3 === 0 ? 'changes-requested' : 'approved';
  const may = (mayAtLeast(who, 'review') || request.requested.has(who)) && who !== request.author;
  const isCommented = some % 5 === 0;
  const body = { status, ...(isCommented ? { comment: { markdown: 'Well done' } } : {}) };
  const answer = await attempt(turn, { method: 'POST', path: `${request.path}/reviews`, body }, may ? 201 : 403);
  if (answer === undefined) return;
  request.reviews.push({ by: who, status, revision: request.head.revision });
  contributed(request, who, 'review');
  request.requested.delete(who);
  if (!isCommented) return;
  const comment = answer.body['comment'] as { id: string };
  request.comments.push({ id: comment.id, by: who, isOpen: true });
  contributed(request, who, 'comment');
}

/** People who can be asked. */
const asked: readonly Name[] = ['ann', 'bob', 'rev', 'cy'];

async function ask(turn: TurnOfRequest): Promise<void> {
  const { request, who, part, real } = turn;
  const other = pick(asked, part);
  const right = !mayAtLeast(who, 'edit') ? 403 : other === request.author ? 400 : 200;
  const body = { users: [real.people[other].id] };
  const path = `${request.path}/requested-reviewers`;
  const answer = await attempt(turn, { method: 'POST', path, body }, right);
  if (answer === undefined) return;
  if (!request.requested.has(other)) request.requested.set(other, who);
  if (request.status === 'draft') request.status = 'open';
}

async function withdraw(turn: TurnOfRequest): Promise<void> {
  const { request, who, part, real } = turn;
  const [other, by] = pick(request.requested, part);
  const may = mayAtLeast(who, 'review') || [other, by, request.author].includes(who);
  const path = `${request.path}/requested-reviewers/${real.people[other].id}`;
  const answer = await attempt(turn, { method: 'DELETE', path }, may ? 205 : 403);
  if (answer !== undefined) request.requested.delete(other);
}

async function comment(turn: TurnOfRequest): Promise<void> {
  const { request, who } = turn;
  const right = mayAtLeast(who, 'comment') ? 200 : 403;
  const body = { body: { markdown: 'Well' } };
  const answer = await attempt(turn, { method: 'POST', path: `${request.path}/comments`, body }, right);
  if (answer === undefined) return;
  request.comments.push({ id: String(answer.body['id']), by: who, isOpen: true });
  contributed(request, who, 'comment');
}

/** Resolves a comment, reopens it, or deletes it. */
async function settleComment(turn: TurnOfRequest): Promise<void> {
  const { request, who, part, some } = turn;
  const found = pick(request.comments, part);
  const path = `${request.path}/comments/${found.id}`;
  const isOwn = found.by === who;
  if (some % 4 === 0) {
    const may = isOwn || who === 'owner';
    const deleted = await attempt(turn, { method: 'DELETE', path }, may ? 205 : 403);
    if (deleted !== undefined) request.comments.splice(request.comments.indexOf(found), 1);
    return;
  }
  const resolved = some % 2 === 0;
  const may = isOwn || mayAtLeast(who, 'edit');
  const answer = await attempt(turn, { method: 'PUT', path, body: { resolved } }, may ? 200 : 403);
  if (answer !== undefined) found.isOpen = !resolved;
}

async function update(turn: TurnOfRequest): Promise<void> {
  const { model, request, who } = turn;
  const right = mayAtLeast(who, 'edit') ? 200 : 403;
  const answer = await attempt(turn, { method: 'POST', path: `${request.path}/update` }, right);
  if (answer === undefined) return;
  const taken = takenFrom(request);
  if (request.status === 'merged' || taken.revision === model.main.revision) {
    sayConflicts(answer, 'update', request.status === 'merged' ? new Set() : (request.pending?.conflicts ?? new Set()));
    deepStrictEqual(answer.body['revision'], request.head.revision);
    return;
  }
  const { pages, conflicts: found } = mergePages(taken.pages, request.head.pages, model.main.pages);
  const conflicts = new Set([...found, ...(request.pending?.conflicts ?? [])]);
  sayConflicts(answer, 'update', conflicts);
  request.head = { pages, revision: String(answer.body['revision']) };
  contributed(request, who, 'edit');
  if (conflicts.size > 0) request.pending = { conflicts, base: model.main };
  else Object.assign(request, { base: model.main, pending: null });
}

/** Compares the result of an update or a merge, and the conflicts that it names. */
function sayConflicts({ body }: Answer, done: 'update' | 'merge', conflicts: ReadonlySet<string>): void {
  const named = ((body['conflicts'] ?? []) as object[]).map(nameOf).sort();
  const result = conflicts.size > 0 ? 'conflicts' : done;
  deepStrictEqual({ result: body['result'], named }, { result, named: [...conflicts].sort() });
}

async function merge(turn: TurnOfRequest): Promise<void> {
  const { model, request, who } = turn;
  const refused = request.merged === null ? model.rules.filter((rule) => isRefusedBy(rule, model, request, who)) : [];
  const right = !mayAtLeast(who, 'review') ? 403 : refused.length > 0 ? 412 : 200;
  const answer = await attempt(turn, { method: 'POST', path: `${request.path}/merge` }, right);
  if (answer === undefined) return;
  const { base, head, pending, merged } = request;
  if (merged !== null) {
    sayConflicts(answer, 'merge', new Set());
    deepStrictEqual(answer.body['revision'], merged.revision);
    return;
  }
  const { pages, conflicts } = mergePages(base.pages, head.pages, model.main.pages);
  sayConflicts(answer, 'merge', pending?.conflicts ?? conflicts);
  if (pending !== null || conflicts.size > 0) return;
  const revision = String(answer.body['revision']);
  if (isSameContent(base.pages, head.pages)) deepStrictEqual(revision, model.main.revision);
  model.main = { pages, revision };
  Object.assign(request, { status: 'merged', merged: model.main });
}

const ruleSets: readonly (readonly Rule[])[] = [
  [],
  [],
  ['require_at_least_one_review'],
  ['require_at_least_one_approved_review', 'require_change_request_subject'],
  ['require_all_reviews_approved', 'require_up_to_date_change_request'],
  ['require_author_to_merge'],
];

async function setRules(turn: Turn): Promise<void> {
  const { model, part } = turn;
  const rules = pick(ruleSets, part);
  const mergeRules = rules.length === 0 ? { type: 'none' } : { type: 'rules', rules: rules.map((rule) => ({ rule })) };
  const asOwner = { ...turn, who: 'owner' as const };
  const answer = await attempt(asOwner, { method: 'PATCH', path: model.path, body: { mergeRules } }, 200);
  if (answer !== undefined) model.rules = rules;
}

async function remove(turn: Turn): Promise<void> {
  const { model, who } = turn;
  const answer = await attempt(turn, { method: 'DELETE', path: model.path }, mayAtLeast(who, 'admin') ? 205 : 403);
  if (answer !== undefined) model.isDeleted = true;
}

async function restore({ model, real }: Turn): Promise<void> {
  const path = `${model.path}/restore`;
  const { status } = await real.rig.send('POST', path, { token: real.people.owner.token });
  real.log.push(`owner POST ${path}: ${status}`);
  deepStrictEqual(status, 200);
  model.isDeleted = false;
}

const ofRequests = {
  move: onRequest('move', move),
  describe: onRequest('describe', describeRequest),
  review: onRequest('review', review),
  ask: onRequest('ask', ask),
  withdraw: onRequest('withdraw', withdraw, ({ requested }) => requested.size > 0),
  comment: onRequest('comment', comment),
  settleComment: onRequest('settleComment', settleComment, ({ comments }) => comments.length > 0),
  update: onRequest('update', update),
  merge: onRequest('merge', merge),
};

const createRequest = command('create', create, ({ requests }) => requests.length < mostRequests);

/** All commands, those that make the most of a history more often. */
export const requestCommands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  ...Object.values(ofRequests),
  ...repeat(2, createRequest),
  ...repeat(5, writeCommands.writeRequest),
  ...repeat(4, writeCommands.write),
  ...repeat(2, writeCommands.resolve),
  ...repeat(3, ofRequests.merge),
  ...repeat(2, ofRequests.update),
  command('rules', setRules),
  command('remove', remove, ({ isDeleted }) => !isDeleted),
  ...repeat(
    mostWhileDeleted,
    command('restore', restore, ({ isDeleted }) => isDeleted),
  ),
];
