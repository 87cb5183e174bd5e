import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { libraryEventSchemas, spaceEventSchemas } from '@scriptorium/contracts';
import { defineAggregate, defineEvents, type EventTable } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { eventually, startRig, type Person, type Rig } from '../../test/rig-with-store.js';

/** Streams as content writes them. It does not run here. */
const streamOfContent = (entity: string, events: EventTable) =>
  defineAggregate<null, EventTable>({ service: 'content', entity, events, initial: null, evolve: () => null });
const space = streamOfContent('space', defineEvents(spaceEventSchemas));
const library = streamOfContent('library', defineEvents(libraryEventSchemas));
const unknownLibrary = streamOfContent('library', defineEvents({ SpaceAdded: z.object({ space: z.number() }) }));

describe('the number of spaces, while content does not run', () => {
  let rig: Rig;
  let org: string;
  let reader: Person;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    reader = await rig.member('Rea Der', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const scope = () =>
    rig.store.scope(
      { actor: { kind: 'user', id: 'x' }, organization: rig.organization, operation: 'spec', correlation: 'spec' },
      {},
    );
  const spacesOf = async ({ id }: Person) => (await rig.send('GET', `${org}/members/${id}`)).body['spaces'];
  const projection = async (name: string) => {
    const { body } = await rig.send('GET', '/operator/identity/consumers?limit=1000');
    return body.items.find((item) => String(item['name']).startsWith(name));
  };

  it('is 0 when content has never run', async () => {
    expect(await spacesOf(reader)).toBe(0);
    const team = await rig.send('PUT', `${org}/teams`, { body: { title: 'Writers' } });
    expect(team.body['spaces']).toBe(0);
    expect(await projection('node_access_')).toMatchObject({ state: 'live' });
  });

  it('follows what content has recorded', async () => {
    const { organization } = rig;
    const settings = { title: 'One', emoji: null, language: null, editMode: 'locked' };
    await scope().handle(space, 's1', () => [{ type: 'SpaceCreated', data: { organization, ...settings } }]);
    const added = { space: 's1', parent: null, order: 'a0' };
    await scope().handle(library, organization, () => [{ type: 'SpaceAdded', data: added }]);
    await eventually(async () => (await spacesOf(reader)) === 1);
  });

  it('stays at the last number while its read model has stopped, and no request waits', async () => {
    await scope().handle(unknownLibrary, 'other', () => [{ type: 'SpaceAdded', data: { space: 7 } }]);
    await eventually(async () => (await projection('node_access_'))?.['state'] === 'stopped');
    expect(await spacesOf(reader)).toBe(1);
    const path = `${org}/members/${reader.id}`;
    const changed = await rig.send('PATCH', path, { body: { role: null } });
    expect([changed.status, changed.body['role'], changed.body['spaces']]).toEqual([200, null, 0]);
    expect((await rig.send('PATCH', path, { body: { role: 'read' } })).body['spaces']).toBe(1);
  });
});
