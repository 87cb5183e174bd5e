import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../../../test/rig-with-store.js';
import { makeSpace } from '../../../test/spaces.js';
import { translationsOf } from '../../../test/translations.js';

jest.setTimeout(120_000);

describe('who sees the result of a translation', () => {
  let rig: Rig;
  let reader: Person;
  let guest: Person;
  let other: Person;
  beforeAll(async () => {
    rig = await startRig({ TRANSLATION_PROVIDER: 'pseudo', TRANSLATION_WAIT_SECONDS: '0' }, { alone: true });
    reader = await rig.member('Rita Reader', 'read');
    guest = await rig.member('Gus Guest', null);
    other = await rig.member('Olga Other', null);
  }, 120_000);
  afterAll(() => rig.stop());

  const seenBy = async (space: string) => {
    const answers = [reader, guest, other].map(({ token }) => rig.send('GET', `/spaces/${space}`, { token }));
    return (await Promise.all(answers)).map(({ status }) => status === 200);
  };
  const invite = (space: string, ...users: Person[]) =>
    rig.send('POST', `/spaces/${space}/permissions`, { body: { role: 'read', users: users.map(({ id }) => id) } });

  it('is who sees its source, when it is made and when that changes', async () => {
    const space = await makeSpace(rig);
    const document = { markdown: 'Text.' };
    await rig.send('POST', `/spaces/${space}/content`, { body: { changes: [{ operation: 'insert_page', document }] } });
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } });
    expect((await invite(space, guest)).status).toBe(204);
    const translations = translationsOf(rig);
    const { id } = await translations.create('fr', space);
    await translations.completed(id);
    const result = String((await translations.get(id)).result?.space);
    expect([await seenBy(space), await seenBy(result)]).toEqual([
      [false, true, false],
      [false, true, false],
    ]);

    await invite(result, other);
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: 'inherit' } });
    await eventually(async () => (await seenBy(result))[0] === true);
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } });
    expect((await rig.send('DELETE', `/spaces/${space}/permissions/users/${guest.id}`)).status).toBe(205);
    await eventually(async () => JSON.stringify(await seenBy(result)) === JSON.stringify([false, false, true]));
    expect(await seenBy(space)).toEqual([false, false, false]);
  });

  it('is who sees its source after that was moved, also when the result was deleted meanwhile', async () => {
    const { body } = await rig.send('POST', `/orgs/${rig.organization}/collections`, { body: { title: 'Closed' } });
    const closed = String(body['id']);
    await rig.send('PATCH', `/collections/${closed}`, { body: { defaultLevel: null } });
    const space = await makeSpace(rig);
    const translations = translationsOf(rig);
    const { id } = await translations.create('fr', space);
    await translations.completed(id);
    const result = String((await translations.get(id)).result?.space);
    const parentOf = async (one: string) => (await rig.send('GET', `/spaces/${one}`)).body['parent'] ?? null;
    const move = async (parent: string | null) =>
      expect((await rig.send('POST', `/spaces/${space}/move`, { body: { parent } })).status).toBeLessThan(300);
    expect((await seenBy(result))[0]).toBe(true);

    await move(closed);
    await eventually(async () => (await parentOf(result)) === closed);
    expect([await seenBy(space), await seenBy(result)]).toEqual([
      [false, false, false],
      [false, false, false],
    ]);

    await move(null);
    await eventually(async () => (await seenBy(result))[0] === true);
    expect((await rig.send('DELETE', `/spaces/${result}`)).status).toBeLessThan(300);
    await move(closed);
    expect((await rig.send('POST', `/spaces/${result}/restore`)).status).toBeLessThan(300);
    await eventually(async () => (await parentOf(result)) === closed);
    expect(await seenBy(result)).toEqual([false, false, false]);
  });

  it('does not change with its source once the translation is gone', async () => {
    const space = await makeSpace(rig);
    const translations = translationsOf(rig);
    const { id } = await translations.create('fr', space);
    await translations.completed(id);
    const result = String((await translations.get(id)).result?.space);
    await translations.send('DELETE', `/${id}`);
    await eventually(async () => (await rig.send('GET', `/spaces/${result}`)).body['readOnly'] === undefined);
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } });
    const kept = await makeSpace(rig);
    const later = await translations.create('fr', kept);
    await translations.completed(later.id);
    expect(await seenBy(result)).toEqual([true, false, false]);
  });
});
