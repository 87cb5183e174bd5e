import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace } from '../../test/spaces.js';
import { startTranslationServer, type TranslationServer } from '../../test/translation-server.js';
import { translationsOf } from '../../test/translations.js';
import { translation } from './translation.js';

jest.setTimeout(120_000);

const pageOf = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });

describe('a text is asked for again', () => {
  let rig: Rig;
  let server: TranslationServer;
  let translations: ReturnType<typeof translationsOf>;
  beforeAll(async () => {
    server = await startTranslationServer();
    const provider = { TRANSLATION_PROVIDER: 'libretranslate', TRANSLATION_URL: server.url };
    rig = await startRig({ ...provider, TRANSLATION_WAIT_SECONDS: '0' }, { alone: true });
    translations = translationsOf(rig);
  }, 120_000);
  beforeEach(() => {
    server.sent.length = 0;
    server.say = (text) => `Auf ${text}`;
  });
  afterAll(async () => {
    await rig.stop();
    await server.stop();
  });

  const sourceOf = async (markdown: string) => {
    const space = await makeSpace(rig);
    const changes = [pageOf('One', markdown)];
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes } })).status).toBe(200);
    return space;
  };
  /** A translation whose first request to the provider is held. */
  const held = async (markdown: string) => {
    const space = await sourceOf(markdown);
    let release = () => undefined as void;
    server.held = new Promise<void>((resolve) => (release = resolve));
    const { id } = await translations.create('de', space);
    await eventually(() => server.sent.length === 1);
    return { id, release: () => void ((server.held = undefined), release()) };
  };
  /** Waits until no run is at work or requested. */
  const settled = (id: string) =>
    eventually(async () => {
      const { status, stats } = await translations.get(id);
      return status === 'completed' && stats.runs > 0;
    }, 60_000);

  it('when the instructions were changed while the provider was at it, however often', async () => {
    const { id, release } = await held('A sentence.\n');
    for (const markdown of ['Be brief.', 'Be polite.'])
      expect((await translations.send('PUT', `/${id}`, { instructions: { markdown } })).status).toBe(200);
    release();
    await eventually(() => server.sent.length > 1);
    await settled(id);
    expect(server.sent).toEqual([
      ['One', 'A sentence.'],
      ['One', 'A sentence.'],
    ]);
  });

  it('when a term of it was changed while the provider was at it, and only then', async () => {
    const { id, release } = await held('Open the ledger.\n\nClose the door.\n');
    const operations = [{ type: 'insert', translations: { en: 'ledger', de: 'Hauptbuch' } }];
    await rig.send('PUT', `/orgs/${rig.organization}/translations-glossary`, { body: { operations } });
    await eventually(async () => (await translations.get(id)).status === 'running');
    const requests = async () => (await rig.store.load(translation, id)).wish.terms.size;
    await eventually(async () => (await requests()) > 0);
    release();
    await eventually(() => server.sent.length > 1);
    await settled(id);
    expect(server.sent.slice(1)).toEqual([['Open the <x id="900000"></x>.']]);
  });

  it('when a correction of it is taken back that was there while all was translated again', async () => {
    const { id, release } = await held('Another sentence.\n');
    release();
    await settled(id);
    const listed = (await translations.send('GET', `/${id}/segments`)).body.items;
    const segment = String(listed.find((one) => one['source'] === 'Another sentence.')?.['id']);
    const write = async (target: string | null) => {
      expect((await translations.send('PUT', `/${id}/segments/${segment}`, { target })).status).toBe(200);
      await settled(id);
    };
    await write('Noch ein Satz.');
    server.sent.length = 0;
    server.say = (text) => `Neu ${text}`;
    await translations.send('POST', `/${id}/run`, { force: true });
    await eventually(() => server.sent.length > 0);
    await settled(id);
    expect(server.sent).toEqual([['One']]);
    await write(null);
    await eventually(() => server.sent.length > 1);
    await settled(id);
    const { body } = await translations.send('GET', `/${id}/segments`);
    expect(get(body, 'items.1.target')).toBe('Neu Another sentence.');
    expect(server.sent.slice(1)).toEqual([['Another sentence.']]);
  });

  it('when its second try failed, while what was answered before is not', async () => {
    const space = await sourceOf('There are 42 of them.\n\nA sentence.\n');
    server.say = (text) => {
      // The next request fails.
      if (text.includes('42') && server.sent.length === 1) server.status = 500;
      return text.includes('42') && server.sent.length === 1 ? 'Auf 43' : `Auf ${text}`;
    };
    const { id } = await translations.create('de', space);
    await eventually(() => server.sent.length === 2);
    server.status = 200;
    await settled(id);
    const alone = ['There are 42 of them.'];
    expect(server.sent).toEqual([['One', ...alone, 'A sentence.'], alone, alone]);
    expect((await translations.send('GET', `/${id}/segments?problem=true`)).body['count']).toBe(0);
    const { usage } = await translations.get(id);
    // The failed request is not counted.
    expect(usage.latest.characters).toBe(['One', ...alone, 'A sentence.', ...alone].join('').length);
  });
});
