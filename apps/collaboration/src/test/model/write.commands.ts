import type * as fc from 'fast-check';
import { get, type Answer } from '../rig.js';
import { attempt, command, newWord, onRequest, pick, type Turn, type TurnOfRequest } from './command.js';
import { documentOf, withPage, type ModelPage, type Pages } from './content.js';
import { contributed, mayAtLeast, send, type Model, type ModelRequest, type Real } from './model.js';

const mostPages = 4;

interface Edit {
  change: object;
  /** The page that is named, if there is one already. */
  page: string | null;
  hasDocument: boolean;
  after: (pages: Pages, answer: Answer) => Pages;
}

export function insertion(page: ModelPage): Edit {
  return {
    change: { operation: 'insert_page', title: page.title, document: { document: documentOf(page) }, ref: 'page' },
    page: null,
    hasDocument: true,
    after: (pages, { body }) => withPage(pages, String(get(body, 'refs.page')), page),
  };
}

/** A random change of pages. */
function editOf({ model, part, some }: Turn, pages: Pages): Edit {
  const word = newWord(model);
  if (pages.size === 0 || (some % 4 === 0 && pages.size < mostPages))
    return insertion({ title: `Title ${word}`, texts: [`First ${word}`, `Second ${word}`] });
  const [page, before] = pick(pages, part);
  const updated = (change: object, next: ModelPage, hasDocument: boolean): Edit => ({
    change: { operation: 'update_page', page, ...change },
    page,
    hasDocument,
    after: (all) => withPage(all, page, next),
  });
  if (some % 7 === 0) {
    const change = { operation: 'delete_page', page };
    return { change, page, hasDocument: true, after: (all) => withPage(all, page, null) };
  }
  if (some % 3 === 0) return updated({ title: `Title ${word}` }, { ...before, title: `Title ${word}` }, false);
  const [first, second] = before.texts;
  const next = {
    ...before,
    texts: some % 2 === 0 ? ([`First ${word}`, second] as const) : ([first, `Second ${word}`] as const),
  };
  return updated({ document: { document: documentOf(next) } }, next, true);
}

/** Writes into the main content. */
async function write(turn: Turn): Promise<void> {
  const { model, who } = turn;
  const edit = editOf(turn, model.main.pages);
  const path = `${model.path}/content`;
  const right = mayAtLeast(who, 'edit') ? 200 : 403;
  const answer = await attempt(turn, { method: 'POST', path, body: { changes: [edit.change] } }, right);
  if (answer !== undefined)
    model.main = { pages: edit.after(model.main.pages, answer), revision: String(answer.body['revision']) };
}

/**
 * Writes into a change request. A change that names a page resolves conflicts about it; those of its document if it has
 * one.
 */
async function writeRequest(turn: TurnOfRequest): Promise<void> {
  const { request, who } = turn;
  const edit = editOf(turn, request.head.pages);
  const right = !mayAtLeast(who, 'edit') ? 403 : request.status === 'merged' ? 409 : 200;
  const body = { changes: [edit.change] };
  const answer = await attempt(turn, { method: 'POST', path: `${request.path}/content`, body }, right);
  if (answer === undefined) return;
  request.head = { pages: edit.after(request.head.pages, answer), revision: newRevision(request, answer) };
  contributed(request, who, 'edit');
  const { page, hasDocument } = edit;
  leave(request, (conflict) => {
    const [of, what] = conflict.split(' ');
    return of !== page || (what === 'document' && !hasDocument);
  });
}

/** The revision that a write has made. */
function newRevision(request: ModelRequest, { body }: Answer): string {
  const revision = String(body['revision']);
  if (revision === request.head.revision) throw new Error(`${request.path} has no new revision`);
  return revision;
}

/** Keeps those conflicts that are not resolved. Without any, what was pending is taken over. */
function leave(request: ModelRequest, isLeft: (conflict: string) => boolean): void {
  const { pending } = request;
  if (pending === null) return;
  const conflicts = new Set([...pending.conflicts].filter(isLeft));
  if (conflicts.size > 0) request.pending = { ...pending, conflicts };
  else Object.assign(request, { base: pending.base, pending: null });
}

/** Resolves one conflict by its id. */
async function resolve(turn: TurnOfRequest): Promise<void> {
  const { request, real, who, part } = turn;
  const { body } = await send(real, 'owner', { method: 'GET', path: `${request.path}/update` });
  const conflicts = body['conflicts'] as object[];
  const resolved = pick(conflicts, part) as { id: string };
  const right = mayAtLeast(who, 'edit') ? 200 : 403;
  const path = `${request.path}/content`;
  const answer = await attempt(turn, { method: 'POST', path, body: { resolve: [resolved.id] } }, right);
  if (answer === undefined) return;
  // Only those of documents have markers, which go with a new revision.
  if (nameOf(resolved).endsWith(' document')) {
    request.head = { ...request.head, revision: newRevision(request, answer) };
    contributed(request, who, 'edit');
  }
  leave(request, (conflict) => conflict !== nameOf(resolved));
}

/** A conflict of an answer as the model names it. */
export function nameOf(conflict: object): string {
  const kind = String(get(conflict, 'kind'));
  return `${String(get(conflict, 'page.id'))} ${String(kind === 'edit' ? get(conflict, 'attribute') : kind)}`;
}

const isUnresolved = ({ pending, status }: ModelRequest) => pending !== null && status !== 'merged';

export const writeCommands: Record<'write' | 'writeRequest' | 'resolve', fc.Arbitrary<fc.AsyncCommand<Model, Real>>> = {
  write: command('write', write),
  writeRequest: onRequest('writeRequest', writeRequest),
  resolve: onRequest('resolve', resolve, isUnresolved),
};
