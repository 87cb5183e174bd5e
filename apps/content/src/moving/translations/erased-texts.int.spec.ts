import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { makeSpace } from '../../test/spaces.js';
import { translationsOf } from '../../test/translations.js';
import { remember } from './texts/segment-memory.operational.js';
import { replacePageSegments } from './segments/page-segments.operational.js';

jest.setTimeout(180_000);

/** Words that occur nowhere else in an installation. */
const words = ['instructionquill', 'earlierquill', 'termquill', 'sourcequill', 'targetquill', 'pinquill'];

describe('the files of an installation', () => {
  let rig: Rig;
  let isStopped = false;
  beforeEach(async () => {
    rig = await startRig();
  }, 60_000);
  afterEach(() => (isStopped ? undefined : rig.stop()));

  it('contain nothing of the translations and the glossary of a deleted organization', async () => {
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Doomed' } });
    const organization = String(body['id']);
    const translations = translationsOf(rig, organization);
    const space = await makeSpace(rig, { title: 'Source' }, `/orgs/${organization}`);
    const { id } = await translations.create('de', space, { instructions: { markdown: 'earlierquill' } });
    await translations.send('PUT', `/${id}`, { instructions: { markdown: 'instructionquill' } });
    const operations = [{ type: 'insert', translations: { en: 'termquill', de: 'Begriff' } }];
    await rig.send('PUT', `/orgs/${organization}/translations-glossary`, {
      body: { operations },
      headers: { 'idempotency-key': 'terms' },
    });
    const scope = { database: rig.store.database, now: Date.now };
    await remember(scope, id, new Map([['h', { text: 'targetquill', terms: [], request: 1 }]]));
    const segment = { segment: 'k', block: 'k', hash: 'h', source: 'sourcequill', problems: [] };
    await replacePageSegments(scope, id, 'p', [segment]);
    const [one] = (await translations.send('GET', `/${id}/segments`)).body.items;
    const pinned = await translations.send('PUT', `/${id}/segments/${String(one?.['id'])}`, { target: 'pinquill' });
    expect(pinned.status).toBe(200);
    await translations.completed(id);
    const before = await filesWith(rig.folder, words);
    expect(new Set(before.map((file) => file.split('/')[0]))).toEqual(new Set(['mongodb']));

    expect((await rig.send('DELETE', `/orgs/${organization}`)).status).toBe(205);
    const counts = () =>
      Promise.all(
        [
          'op_glossary',
          'op_translation_segments',
          'op_translation_page_segments',
          'op_translation_pins',
          'op_translation_instructions',
        ].map((name) => rig.store.database.collection(name).countDocuments({})),
      );
    await eventually(async () => (await counts()).every((count) => count === 0), 30_000);
    await eventually(
      async () => (await rig.send('GET', '/operator/content/runs?open=true')).body['count'] === 0,
      30_000,
    );
    await rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    expect(found).toEqual([]);
  });
});
