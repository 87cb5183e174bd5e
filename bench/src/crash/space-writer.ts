import { grantOf, newSpace, type Granted, type Space } from './memory.js';
import type { Sender, WriterParts } from './sender.js';

const maxSpaces = 20;
const levels = ['create', 'edit', 'review', 'comment', 'read'] as const;

/** Makes, changes, grants, deletes and restores spaces, one thing a step. */
export function createSpaceWriter({ memory, random, steady }: WriterParts, sender: Sender): { step(): Promise<void> } {
  let revisions = 0;
  const path = (space: Space, ...more: string[]): string => ['/v1/spaces', space.id, ...more].join('/');
  const people = () => (memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);

  const create = async (): Promise<void> => {
    const tag = sender.newTag();
    const title = `${tag} new`;
    const outcome = await sender.settle({
      method: 'POST',
      path: `/v1/orgs/${memory.organization}/spaces`,
      body: { title },
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
      if (roll < 0.5) return rename(space);
      return roll < 0.85 ? grant(space) : takeBack(space);
    },
  };
}
