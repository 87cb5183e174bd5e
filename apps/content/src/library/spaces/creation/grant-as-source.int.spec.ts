import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { withReplaced } from '@scriptorium/event-sourcing/testing';
import { startRig, type Person, type Rig } from '../../../test/rig-with-store.js';
import { makeSpace } from '../../../test/spaces.js';
import { space } from '../space.js';
import { grantAsSource } from './grant-as-source.process.js';

describe('the grants of a result', () => {
  let rig: Rig;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig();
    guest = await rig.member('Grete Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  /** A source that a guest may read, and a result that a translation is about to make of it. */
  const begun = async () => {
    const [source, result] = [await makeSpace(rig), await makeSpace(rig)];
    const body = { role: 'read', users: [guest.id] };
    expect((await rig.send('POST', `/spaces/${source}/permissions`, { body })).status).toBe(204);
    const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
    const store = rig.store.scope({ ...context, organization: rig.organization, idem: `run:${result}` }, {});
    const hold = { type: 'SpaceHeld' as const, data: { translation: 't1' } };
    await store.step('hold').handle(space, result, () => [hold], { wait: false });
    const grant = (from: Pick<typeof store, 'load'> = store) =>
      grantAsSource(from, store.step('result'), { id: result, translation: 't1', source });
    return { store, source, grant, isGranted: () => isGranted(result), revoke: () => revoke(source) };
  };
  const isGranted = async (id: string): Promise<boolean> => {
    const state = await rig.store.load(space, id);
    return state.status === 'active' && keyedEntries(state.grants.users).some(([user]) => user === guest.id);
  };
  const revoke = async (id: string): Promise<void> => {
    expect((await rig.send('DELETE', `/spaces/${id}/permissions/users/${guest.id}`)).status).toBe(205);
  };

  it('are those of its source', async () => {
    const { grant, isGranted: isThere } = await begun();
    await grant();
    expect(await isThere()).toBe(true);
  });

  it('do not have what is taken back while they are written', async () => {
    const { store, source, grant, isGranted: isThere, revoke: takeBack } = await begun();
    let isRevoked = false;
    const load: typeof store.load = async (aggregate, id) => {
      const state = await store.load(aggregate, id);
      if (!isRevoked && id === source) {
        isRevoked = true;
        await takeBack();
      }
      return state;
    };
    await grant(withReplaced(store, { load }));
    expect([isRevoked, await isThere()]).toEqual([true, false]);
  });

  it('are compared again when the work is repeated', async () => {
    const { grant, isGranted: isThere, revoke: takeBack } = await begun();
    await grant();
    await takeBack();
    await grant();
    expect(await isThere()).toBe(false);
  });

  it('are given up for now when the source changes each time', async () => {
    const { store, grant } = await begun();
    let n = 0;
    const load: typeof store.load = async (aggregate, id) => {
      const state = await store.load(aggregate, id);
      n += 1;
      return { ...state, defaultLevel: n % 2 === 0 ? 'read' : null };
    };
    await expect(grant(withReplaced(store, { load }))).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
