import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace } from '../../test/spaces.js';
import { translationsOf } from '../../test/translations.js';
import { keepPinned, remember } from './texts/segment-memory.operational.js';
import { replacePageSegments } from './segments/page-segments.operational.js';
import { translation } from './translation.js';
import { translations as list } from './translations.js';

jest.setTimeout(120_000);

const collections = [
  'op_translation_segments',
  'op_translation_page_segments',
  'op_translation_pins',
  'op_translation_instructions',
];

describe('with a translation, its texts end', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
  }, 60_000);
  afterAll(() => rig.stop());

  const counts = (id: string) =>
    Promise.all(collections.map((name) => rig.store.database.collection(name).countDocuments({ translation: id })));
  const isEmpty = (id: string) => eventually(async () => (await counts(id)).every((count) => count === 0));
  /** A translation that has something in each collection. */
  const fill = async (organization = rig.organization) => {
    const translations = translationsOf(rig, organization);
    const space = await makeSpace(rig, { title: 'Source' }, `/orgs/${organization}`);
    const { id } = await translations.create('de', space, { instructions: { markdown: 'Secretquill' } });
    await translations.completed(id);
    const scope = { database: rig.store.database, now: Date.now };
    await remember(scope, id, new Map([['h', { text: 'Hallo', terms: [], request: 1 }]]));
    await keepPinned(scope, id, 'g', { text: 'Tag', terms: [] });
    const segment = { segment: 'k', block: 'k', hash: 'h', source: 'Hello', problems: [] };
    await replacePageSegments(scope, id, 'p', [segment]);
    const [one] = (await translations.send('GET', `/${id}/segments`)).body.items;
    await translations.send('PUT', `/${id}/segments/${String(one?.['id'])}`, { target: 'Guten Tag' });
    await translations.completed(id);
    expect(await counts(id)).toEqual([2, 1, 1, 1]);
    return { id, space, translations };
  };
  const fire = (id: string) =>
    rig.store.database.collection<{ _id: string }>('op_timers').updateOne({ _id: id }, { $set: { due: 0 } });
  const rebuildAll = async () => {
    const { body } = await rig.send('GET', '/operator/content/consumers?limit=1000');
    const own = body.items.filter(({ kind }) => kind === 'projection').map(({ name }) => String(name));
    const names = own.filter((name) => /^(translation|glossary)_/.test(name));
    expect(names).toHaveLength(2);
    for (const name of names) {
      const rebuilt = await rig.send('POST', `/operator/content/projections/${name}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  };

  it('when it is deleted, and once more for what was under way', async () => {
    const { id, translations } = await fill();
    expect((await translations.send('DELETE', `/${id}`)).status).toBe(205);
    await isEmpty(id);
    expect((await rig.store.load(translation, id)).isEnded).toBe(true);
    const late = new Map([['late', { text: 'Spät', terms: [], request: 1 }]]);
    await remember({ database: rig.store.database, now: Date.now }, id, late);
    await eventually(async () => (await fire(`drop_translation_texts:${id}`)).matchedCount === 1);
    await isEmpty(id);
    await rebuildAll();
  });

  it('when its source is purged', async () => {
    const { id, space, translations } = await fill();
    await rig.send('DELETE', `/spaces/${space}`);
    expect((await translations.get(id)).id).toBe(id);
    await eventually(async () => (await fire(`purge_deleted:${space}`)).matchedCount === 1);
    await isEmpty(id);
    expect((await translations.send('GET', `/${id}`)).status).toBe(404);
    await rebuildAll();
  });

  it('when its source belongs to another organization', async () => {
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Other' } });
    const { id, space, translations } = await fill();
    const moved = await rig.send('POST', `/spaces/${space}/transfer`, { body: { organization: String(body['id']) } });
    expect(moved.status).toBe(200);
    await isEmpty(id);
    expect((await translations.send('GET', `/${id}`)).status).toBe(404);
    expect((await translationsOf(rig, String(body['id'])).create('de', space)).source.space).toBe(space);
  });

  it('when its organization is deleted, with the glossary', async () => {
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Doomed' } });
    const organization = String(body['id']);
    const { id } = await fill(organization);
    const operations = [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }];
    await rig.send('PUT', `/orgs/${organization}/translations-glossary`, { body: { operations } });
    const terms = () => rig.store.database.collection('op_glossary').countDocuments({ organization });
    expect(await terms()).toBe(1);
    expect((await rig.send('DELETE', `/orgs/${organization}`)).status).toBe(205);
    await isEmpty(id);
    await eventually(async () => (await terms()) === 0);
    await eventually(async () => {
      const state = await rig.store.load(list, organization);
      return !state.isClosed && state.all.size === 0;
    });
    await eventually(async () => (await rig.store.load(translation, id)).requests === 0);
    await rebuildAll();
  });

  it('except for those that it uses, when its instructions are replaced', async () => {
    const { id, translations } = await fill();
    await translations.send('PUT', `/${id}`, { instructions: { markdown: 'Others' } });
    expect((await counts(id)).at(-1)).toBe(2);
    const instructions = rig.store.database.collection('op_translation_instructions');
    await instructions.updateMany({ translation: id }, { $set: { at: 0 } });
    await eventually(async () => (await fire(`drop_translation_texts:${id}`)).matchedCount === 1);
    await eventually(async () => (await counts(id)).at(-1) === 1);
    expect(JSON.stringify((await translations.get(id)).instructions)).toContain('Others');
    expect((await counts(id)).slice(0, 3)).toEqual([2, 1, 1]);
  });
});

describe('changes of translations', () => {
  it('are told by audit and change feed', async () => {
    const rig = await startRig();
    try {
      const translations = translationsOf(rig);
      const { id } = await translations.create('de');
      await translations.completed(id);
      await translations.send('PUT', `/${id}`, { instructions: { markdown: 'Brief.' } });
      await translations.completed(id);
      await translations.send('DELETE', `/${id}`);
      const audit = await rig.send('GET', `/orgs/${rig.organization}/audit-events?target=${id}`);
      expect(audit.body.items.map(({ action }) => action)).toEqual([
        'translation_deleted',
        'translation_run_failed',
        'translation_instructions_changed',
        'translation_run_failed',
        'translation_created',
      ]);
      const changes = await rig.send('GET', `/orgs/${rig.organization}/changes?limit=1000`);
      expect(changes.body.items.some((item) => get(item, 'target.id') === id)).toBe(true);
    } finally {
      await rig.stop();
    }
  });
});
