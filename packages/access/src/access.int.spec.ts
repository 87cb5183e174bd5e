import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  collectionEventSchemas,
  libraryEventSchemas,
  organizationEventSchemas,
  rosterEventSchemas,
  spaceEventSchemas,
  teamEventSchemas,
} from '@scriptorium/contracts';
import { eventStoreForTests, mongoForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import {
  createStore,
  defineAggregate,
  defineEvents,
  localBroadcast,
  systemClock,
  type AnyEvent,
  type EventTable,
  type Store,
} from '@scriptorium/event-sourcing';
import { dropDatabases, eventually } from '@scriptorium/event-sourcing/testing';
import { createAccess, identityReadModels, noWork, type Access, type NodeIndexOptions, type Reads } from './access.js';
import { createFreshness } from './freshness.js';
import { nodeAccess } from './node-access.projection.js';

/** Streams as identity and content write them, without their decisions. */
const recordable = (service: string, entity: string, events: EventTable) =>
  defineAggregate<null, EventTable>({ service, entity, events, initial: null, evolve: () => null });
const streams = {
  organization: recordable('identity', 'organization', defineEvents(organizationEventSchemas)),
  roster: recordable('identity', 'roster', defineEvents(rosterEventSchemas)),
  team: recordable('identity', 'team', defineEvents(teamEventSchemas)),
  library: recordable('content', 'library', defineEvents(libraryEventSchemas)),
  space: recordable('content', 'space', defineEvents(spaceEventSchemas)),
  collection: recordable('content', 'collection', defineEvents(collectionEventSchemas)),
};

const namespace = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
let folder: string;
let servers: TestServer<unknown>[];
let replicas: Store[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'));
  const events = await eventStoreForTests({ port: 0, dataDir: join(folder, 'eventstore') });
  const mongo = await mongoForTests({ port: 0, dataDir: join(folder, 'mongo') });
  servers = [events, mongo];
  const broadcast = localBroadcast();
  const open = (): Store =>
    createStore({
      service: 'other',
      namespace,
      eventstoreUrl: events.url,
      mongoUrl: mongo.url,
      broadcast,
      projections: [...identityReadModels, nodeAccess],
    });
  replicas = [open(), open()];
  for (const replica of replicas) await replica.start();
}, 60_000);

afterAll(async () => {
  for (const replica of [...replicas].reverse()) await replica.stop();
  const mongo = servers[1];
  if (mongo?.given === true) await dropDatabases(mongo.url, `${namespace}_`);
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** Records an event by the first replica, which waits until read models show it. */
async function record(entity: keyof typeof streams, id: string, type: string, data: object = {}): Promise<bigint> {
  const organization = ['organization', 'roster', 'library'].includes(entity) ? id : 'o1';
  const context = { actor: { kind: 'user', id: 'ann' }, organization, operation: 'spec', correlation: 'spec' };
  const event: AnyEvent = { type, data };
  const { position } = await (replicas[0] as Store).scope(context).handle(streams[entity], id, () => [event]);
  return position;
}

async function organize(organization: string, members: Record<string, string | null>): Promise<void> {
  await record('organization', organization, 'OrganizationCreated', {
    title: 'Acme',
    hostname: 'acme',
    emailDomains: [],
    createdBy: 'ann',
  });
  for (const [user, role] of Object.entries(members))
    await record('roster', organization, 'MemberJoined', { user, membership: `m-${user}`, role, via: 'invite' });
}

async function addSpace(organization: string, space: string, parent: string | null, order: string): Promise<void> {
  await record('space', space, 'SpaceCreated', {
    organization,
    title: space,
    emoji: null,
    language: null,
    editMode: 'live',
  });
  await record('library', organization, 'SpaceAdded', { space, parent, order });
}

async function addCollection(organization: string, collection: string, parent: string | null): Promise<void> {
  await record('collection', collection, 'CollectionCreated', { organization, title: collection, description: null });
  await record('library', organization, 'CollectionAdded', { collection, parent, order: 'a0' });
}

/** Access as one replica has it, with what it reads through. */
interface Replica {
  access: Access;
  reads: Reads;
}

function accessOf(store: Store, options: Partial<NodeIndexOptions> = {}): Replica {
  const context = { actor: { kind: 'user', id: 'ann' }, organization: null, operation: 'spec', correlation: 'spec' };
  return { access: createAccess(store, { clock: systemClock, ...options }), reads: store.scope(context) };
}

async function levelOf({ access, reads }: Replica, organization: string, user: string, node: string) {
  const place = await access.placeIn(reads, organization, { id: user });
  if (place === null) return 'no member';
  const nodes = await access.nodesOf(reads, organization);
  return nodes.levelOn(node, await access.granteeFor(reads, place, nodes));
}

async function spacesOf({ access, reads }: Replica, organization: string, user: string): Promise<readonly string[]> {
  const place = await access.placeIn(reads, organization, { id: user });
  if (place === null) return [];
  const nodes = await access.nodesOf(reads, organization);
  return nodes.visibleTo(await access.granteeFor(reads, place, nodes)).spaces;
}

describe('the access read models of a service', () => {
  it('follow memberships, teams, grants and the library on every replica, from public events alone', async () => {
    const [one, two] = replicas.map((store) => accessOf(store)) as [Replica, Replica];
    const onBoth = async <T>(ask: (replica: Replica) => Promise<T>, expected: T): Promise<void> => {
      expect(await ask(one)).toEqual(expected);
      await replicas[1]?.waitUntilVisible({
        position: last,
        types: [...nodeAccess.types, ...identityReadModels.flatMap(({ types }) => [...types])],
      });
      expect(await ask(two)).toEqual(expected);
    };
    let last = 0n;
    const then = async (...event: Parameters<typeof record>): Promise<void> => void (last = await record(...event));

    await organize('o1', { ann: 'admin', bob: 'read', gil: null });
    await addCollection('o1', 'c1', null);
    await addSpace('o1', 's1', 'c1', 'a0');
    await addSpace('o1', 's2', null, 'a1');
    await onBoth((replica) => spacesOf(replica, 'o1', 'bob'), ['s1', 's2']);
    await onBoth((replica) => spacesOf(replica, 'o1', 'gil'), []);
    await onBoth((replica) => levelOf(replica, 'o1', 'eve', 's1'), 'no member');

    await record('team', 't1', 'TeamCreated', { organization: 'o1', title: 'Writers' });
    await record('team', 't1', 'TeamMemberAdded', { user: 'gil', membership: 'm-gil', role: 'member' });
    await then('collection', 'c1', 'CollectionTeamGrantGiven', { team: 't1', level: 'edit' });
    await onBoth((replica) => levelOf(replica, 'o1', 'gil', 's1'), 'edit');
    await onBoth((replica) => spacesOf(replica, 'o1', 'gil'), ['s1']);

    await then('team', 't1', 'TeamMemberRemoved', { user: 'gil', membership: 'm-gil' });
    await onBoth((replica) => spacesOf(replica, 'o1', 'gil'), []);
    await then('space', 's2', 'SpaceUserGrantGiven', { user: 'gil', membership: 'm-gil', level: 'comment' });
    await onBoth((replica) => spacesOf(replica, 'o1', 'gil'), ['s2']);

    await record('roster', 'o1', 'MemberRemoved', { user: 'gil', membership: 'm-gil' });
    await then('roster', 'o1', 'MemberJoined', { user: 'gil', membership: 'm-gil-2', role: null, via: 'invite' });
    await onBoth((replica) => spacesOf(replica, 'o1', 'gil'), []);

    await then('library', 'o1', 'SpaceMoved', { space: 's2', parent: 'c1', order: 'Zz' });
    await then('collection', 'c1', 'CollectionDefaultLevelChanged', { level: null });
    await onBoth((replica) => spacesOf(replica, 'o1', 'bob'), []);
    await onBoth((replica) => spacesOf(replica, 'o1', 'ann'), ['s2', 's1']);

    await then('library', 'o1', 'CollectionDeleted', { collection: 'c1' });
    await onBoth((replica) => spacesOf(replica, 'o1', 'ann'), []);
    await then('library', 'o1', 'SpaceRestored', { space: 's1', parent: null, order: 'a5' });
    await onBoth((replica) => spacesOf(replica, 'o1', 'bob'), ['s1']);

    await then('library', 'o1', 'SpacePurgeBegan', { space: 's1' });
    await onBoth(async ({ access, reads }) => (await access.nodesOf(reads, 'o1')).has('s1'), false);
    await then('organization', 'o1', 'OrganizationDeleted');
    await onBoth((replica) => levelOf(replica, 'o1', 'ann', 's2'), 'no member');
  });

  it('need one query for each change, however many organizations are cached, and none without a change', async () => {
    const work = noWork();
    const { access, reads } = accessOf(replicas[1] as Store, { clock: { ...systemClock, monotonic: () => 0 }, work });
    const organizations = Array.from({ length: 20 }, (_, n) => `many-${n}`);
    for (const organization of organizations) await addSpace(organization, `space-${organization}`, null, 'a0');
    const position = await record('library', 'many-0', 'SpaceMoved', {
      space: 'space-many-0',
      parent: null,
      order: 'a1',
    });
    await replicas[1]?.waitUntilVisible({ position, types: ['SpaceMoved'] });
    const visitAll = async (): Promise<void> => {
      for (const organization of organizations)
        expect((await access.nodesOf(reads, organization)).has(`space-${organization}`)).toBe(true);
    };
    await visitAll();
    await visitAll();
    expect(work).toMatchObject({ loads: 20, looks: 0 });
    const changed = await record('library', 'many-3', 'SpaceDeleted', { space: 'space-many-3' });
    await replicas[1]?.waitUntilVisible({ position: changed, types: ['SpaceDeleted'] });
    await visitAll();
    expect(work).toMatchObject({ loads: 20, looks: 1 });
    expect((await access.nodesOf(reads, 'many-3')).deletedAt('space-many-3')).not.toBeNull();
  });

  it('are fresh as soon as they contain what was recorded', async () => {
    const store = replicas[1] as Store;
    const freshness = createFreshness(store, { clock: systemClock, projections: identityReadModels });
    expect(await freshness.isFresh()).toBe(false);
    const position = await record('roster', 'fresh', 'MemberJoined', {
      user: 'ann',
      membership: 'm',
      role: 'read',
      via: 'invite',
    });
    await store.waitUntilVisible({ position, types: ['MemberJoined'] });
    freshness.heard({ epoch: 'one', recorded: new Map([['identity.roster', position]]) });
    // Read models that the event is not for are told of a moment later.
    await eventually(() => freshness.isFresh());
    freshness.heard({ epoch: 'two', recorded: new Map([['identity.team', position + 1_000_000n]]) });
    expect(await freshness.isFresh()).toBe(false);
  });
});
