import { Field } from './field.js';
import { freePages, grantOf, newSpace, outdate, type Granted, type Space } from './memory.js';
import { hashOf } from './revisions.js';
import type { Sender, WriterParts } from './sender.js';

const maxSpaces = 20;
const maxPages = 20;
const levels = ['create', 'edit', 'review', 'comment', 'read'] as const;

/** Makes, changes, grants, deletes and restores spaces, and writes pages in them, one thing a step. */
export function createSpaceWriter(
  { memory, caller, random, steady }: WriterParts,
  sender: Sender,
): { step(): Promise<void> } {
  let revisions = 0;
  const path = (space: Space, ...more: string[]): string => ['/v1/spaces', space.id, ...more].join('/');
  const people = () => (memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);

  const create = async (): Promise<void> => {
    const tag = sender.newTag();
    const title = `${tag} new`;
    const outcome = await sender.settle({
      method: 'POST',
      path: `/v1/orgs/${memory.organization}/spaces`,
      body: { title, editMode: 'live', empty: true },
    });
    if (outcome.kind === 'done') memory.spaces.push(newSpace((outcome.body as { id: string }).id, tag, title));
    if (outcome.kind === 'unknown') memory.perhaps.add(tag);
  };
  const rename = async (space: Space): Promise<void> => {
    const title = `${space.tag} r${(revisions += 1)}`;
    await sender.set(space, space.title, title, { method: 'PATCH', path: path(space), body: { title } });
    if (steady() || random.chance(0.3)) await sender.readBack(space, path(space));
  };
  const grant = (space: Space): Promise<void> => {
    const { id } = random.pick(people());
    const role = random.chance(0.1) ? null : random.pick(levels);
    const granted: Granted = role ?? 'none';
    const body = { role, users: [id] };
    return sender.set(space, grantOf(space, id), granted, { method: 'POST', path: path(space, 'permissions'), body });
  };
  const takeBack = (space: Space): Promise<void> => {
    const { id } = random.pick([...memory.staying, memory.moving]);
    const request = { method: 'DELETE', path: path(space, 'permissions', 'users', id) } as const;
    return sender.set(space, grantOf(space, id), undefined, request);
  };
  const insertPage = async (space: Space): Promise<void> => {
    const tag = sender.newTag();
    const text = `Text of ${tag}.`;
    const change = { operation: 'insert_page', title: tag, document: { markdown: text }, ref: 'page' };
    const outcome = await sender.settle({ method: 'POST', path: path(space, 'content'), body: { changes: [change] } });
    const refs = outcome.kind === 'done' ? (outcome.body as { refs: { page: string } }).refs : undefined;
    if (refs !== undefined) space.pages.push({ id: refs.page, tag, text: new Field(text) });
    if (outcome.kind === 'unknown') space.perhaps.add(tag);
  };
  const updatePage = (space: Space): Promise<void> => {
    const page = random.pick(freePages(space));
    const text = `Text ${(revisions += 1)} of ${page.tag}.`;
    const change = { operation: 'update_page', page: page.id, document: { markdown: text } };
    const request = { method: 'POST', path: path(space, 'content'), body: { changes: [change] } } as const;
    outdate(space, page);
    return sender.set(space, page.text, text, request);
  };
  /** The present revision, whoever made it, is the same for ever. */
  const remember = async (space: Space): Promise<void> => {
    const outcome = await caller.call({ method: 'GET', path: path(space, 'content') });
    if (outcome.kind !== 'done') return;
    const { id } = outcome.body as { id: string };
    if (!space.revisions.has(id)) space.revisions.set(id, hashOf(outcome.body));
  };
  const writePage = (space: Space): Promise<void> => {
    const isFull = space.pages.length >= maxPages;
    return freePages(space).length > 0 && (isFull || random.chance(0.6)) ? updatePage(space) : insertPage(space);
  };
  const deleteOrRestore = async (space: Space): Promise<void> => {
    const outcome = await sender.settle(
      space.deleted ? { method: 'POST', path: path(space, 'restore') } : { method: 'DELETE', path: path(space) },
    );
    if (outcome.kind === 'done') space.deleted = !space.deleted;
    if (outcome.kind === 'unknown') space.restsUntil = Infinity;
  };

  return {
    async step() {
      const free = memory.spaces.filter(({ restsUntil }) => restsUntil < performance.now());
      const space = free.length === 0 ? undefined : random.pick(free);
      if (space === undefined || (random.chance(0.15) && memory.spaces.length < maxSpaces)) return create();
      if (space.deleted || random.chance(0.06)) return deleteOrRestore(space);
      const roll = random.next();
      if (roll < 0.3) return rename(space);
      if (roll < 0.6) {
        await writePage(space);
        return remember(space);
      }
      return roll < 0.85 ? grant(space) : takeBack(space);
    },
  };
}
