import { Field } from './field.js';
import {
  freePages,
  newRequest,
  outdate,
  type ChangeRequest,
  type Page,
  type RequestStatus,
  type Space,
} from './memory.js';
import type { Outcome } from './caller.js';
import type { Sender, WriterParts } from './sender.js';

const maxRequests = 12;
const maxAdded = 3;
const maxPages = 20;
/** Merges and updates are tried for a minute while content changes, and are answered then. */
const mergeAnswerMs = 66_000;

/**
 * Opens, describes, writes, updates, merges and reopens change requests of the writer's spaces, one thing a step. What
 * a change request edits is as the space has it, and written by nobody else until it is merged, so that no merge has
 * conflicts.
 */
export function createRequestWriter(
  { memory, random, steady, findings }: WriterParts,
  sender: Sender,
): { step(): Promise<void> } {
  let revisions = 0;
  const path = (space: Space, ...more: string[]): string =>
    ['/v1/spaces', space.id, 'change-requests', ...more].join('/');

  const open = async (space: Space): Promise<void> => {
    const tag = sender.newTag();
    const subject = `${tag} new`;
    const known = [...space.pages];
    const outcome = await sender.settle({ method: 'POST', path: path(space), body: { subject } });
    if (outcome.kind === 'done')
      space.requests.push(newRequest(outcome.body as { id: string; number: number }, { tag, title: subject, known }));
    if (outcome.kind === 'unknown') space.perhapsRequests.add(tag);
  };
  const describe = async (space: Space, request: ChangeRequest): Promise<void> => {
    const subject = `${request.tag} r${(revisions += 1)}`;
    const at = path(space, request.id);
    await sender.set(request, request.title, subject, { method: 'PATCH', path: at, body: { subject } });
    if (steady() || random.chance(0.3)) await sender.readBack(request, at, 'subject');
  };
  const move = (space: Space, request: ChangeRequest): Promise<void> => {
    const status = random.pick<RequestStatus>(['draft', 'open', 'archived']);
    return sender.set(request, request.status, status, {
      method: 'PATCH',
      path: path(space, request.id),
      body: { status },
    });
  };
  const addPage = async (space: Space, request: ChangeRequest): Promise<void> => {
    const tag = sender.newTag();
    const text = `Text of ${tag}.`;
    const change = { operation: 'insert_page', title: tag, document: { markdown: text }, ref: 'page' };
    const at = path(space, request.id, 'content');
    const outcome = await sender.settle({ method: 'POST', path: at, body: { changes: [change] } });
    const id = outcome.kind === 'done' ? (outcome.body as { refs: { page: string } }).refs.page : undefined;
    if (id !== undefined) request.added.push({ id, tag, text: new Field(text) });
    if (outcome.kind === 'unknown') request.perhaps.add(tag);
  };
  const editPage = (space: Space, request: ChangeRequest): Promise<void> => {
    const page = random.pick(editable(space, request));
    const text = `Text ${(revisions += 1)} of ${page.tag} in ${request.tag}.`;
    const isAdded = request.added.includes(page);
    const field = isAdded ? page.text : (request.edited.get(page) ?? page.text.copy());
    if (!isAdded) request.edited.set(page, field);
    const change = { operation: 'update_page', page: page.id, document: { markdown: text } };
    const at = path(space, request.id, 'content');
    return sender.set(request, field, text, { method: 'POST', path: at, body: { changes: [change] } });
  };
  const write = (space: Space, request: ChangeRequest): Promise<void> => {
    const isFull = request.added.length >= maxAdded || space.pages.length >= maxPages;
    return editable(space, request).length > 0 && (isFull || random.chance(0.6))
      ? editPage(space, request)
      : addPage(space, request);
  };
  const update = async (space: Space, request: ChangeRequest): Promise<void> => {
    const at = path(space, request.id, 'update');
    const pages = [...space.pages];
    const outcome = await sender.settle({ method: 'POST', path: at, answerMs: mergeAnswerMs });
    expectResult(outcome, 'update', request);
    if (outcome.kind === 'done') for (const { id } of pages) request.known.add(id);
  };
  const merge = async (space: Space, request: ChangeRequest): Promise<void> => {
    const send = () =>
      sender.settle({ method: 'POST', path: path(space, request.id, 'merge'), answerMs: mergeAnswerMs });
    const outcomes = await Promise.all(random.chance(0.3) ? [send(), send()] : [send()]);
    const done = outcomes.filter((outcome) => outcome.kind === 'done');
    const isUnclear = outcomes.some(({ kind }) => kind === 'unknown');
    if (done[0] === undefined) {
      if (!isUnclear) return;
      request.status.doubt('merged');
      Object.assign(request, { restsUntil: Infinity });
      space.merges.certain = false;
      return;
    }
    for (const outcome of done) expectResult(outcome, 'merge', request);
    if (!done.some(({ body }) => resultIn(body) === 'merge')) return;
    const revisionsMade = new Set(done.map(({ body }) => (body as { revision: string }).revision));
    if (revisionsMade.size > 1) findings.report(`${request.tag} was merged twice: ${[...revisionsMade].join(' and ')}`);
    merged(space, request);
  };
  const expectResult = (outcome: Outcome, right: 'update' | 'merge', { tag }: ChangeRequest): void => {
    if (outcome.kind !== 'done') return;
    const result = resultIn(outcome.body);
    findings.count(`change requests: ${result}`);
    if (result !== right) findings.report(`${tag} has ${result}: ${JSON.stringify(outcome.body)}`);
  };

  return {
    async step() {
      const free = memory.spaces.filter((one) => one.restsUntil < performance.now() && !one.deleted);
      if (free.length === 0) return sender.pause();
      const space = random.pick(free);
      const requests = space.requests.filter(({ restsUntil }) => restsUntil < performance.now());
      const isFull = space.requests.length >= maxRequests;
      if (requests.length === 0) return isFull ? sender.pause() : open(space);
      if (!isFull && random.chance(0.2)) return open(space);
      const request = random.pick(requests);
      const roll = random.next();
      if (request.status.allows('merged')) return roll < 0.5 ? move(space, request) : describe(space, request);
      if (roll < 0.15) return describe(space, request);
      if (roll < 0.3) return move(space, request);
      if (roll < 0.6) return write(space, request);
      if (roll < 0.75 || !isWritten(request)) return update(space, request);
      return merge(space, request);
    },
  };
}

const resultIn = (body: unknown): string => (body as { result: string }).result;

/** Pages that a change request can edit: its own, and those that it has as the space does and no other one edits. */
function editable(space: Space, { added, edited, known }: ChangeRequest): Page[] {
  return [...added, ...edited.keys(), ...freePages(space).filter(({ id }) => known.has(id))];
}

/** Whether it is certain that a merge changes the space. */
function isWritten({ added, edited }: ChangeRequest): boolean {
  const changed = [...edited].some(([page, { certain }]) => certain !== undefined && !page.text.allows(certain.value));
  return added.length > 0 || changed;
}

/** What was in the change request alone is in the space then. */
function merged(space: Space, request: ChangeRequest): void {
  space.merges.count += 1;
  space.pages.push(...request.added);
  for (const [page, field] of request.edited) {
    page.text = field;
    outdate(space, page);
  }
  // It goes on from the space, as that is now.
  for (const { id } of space.pages) request.known.add(id);
  for (const title of request.perhaps) space.perhaps.add(title);
  request.status.settle('merged');
  request.added = [];
  request.edited = new Map();
}
