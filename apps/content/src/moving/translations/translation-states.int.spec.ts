import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServiceContext } from '@scriptorium/platform';
import { memoryObjects } from '../../test/memory-objects.js';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace } from '../../test/spaces.js';
import { startTranslationServer, type TranslationServer } from '../../test/translation-server.js';
import { translationsOf } from '../../test/translations.js';

import { firstState } from './runs/working.process.js';
import { translationHandler } from './translation.run.js';
import { translation } from './translation.js';
import { Translator } from './translator.process.js';

jest.setTimeout(120_000);

const pageOf = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });

describe('the state of a translation', () => {
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
    server.status = 200;
  });
  afterAll(async () => {
    await rig.stop();
    await server.stop();
  });

  const sourceOf = async (...pages: object[]) => {
    const space = await makeSpace(rig);
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes: pages } })).status).toBe(200);
    return space;
  };
  const done = async (id: string, runs: number) => {
    await eventually(async () => {
      const { stats, status } = await translations.get(id);
      return stats.runs >= runs && status === 'completed';
    }, 60_000);
    return translations.get(id);
  };

  it('is running while a provider is asked, and what is requested meanwhile is one more run', async () => {
    const space = await sourceOf(pageOf('One', 'A sentence.\n'));
    let release = () => undefined as void;
    server.held = new Promise<void>((resolve) => (release = resolve));
    const { id, status } = await translations.create('de', space);
    expect(['pending', 'running']).toContain(status);
    await eventually(() => server.sent.length === 1);
    const running = await translations.get(id);
    expect(running).toMatchObject({ status: 'running', stats: { runs: 0 } });
    expect(running.progress?.total).toBeGreaterThan(0);
    expect(running).not.toHaveProperty('result');
    const posts = Array.from({ length: 3 }, () => translations.send('POST', `/${id}/run`, {}));
    expect((await Promise.all(posts)).map((answer) => answer.status)).toEqual([204, 204, 204]);
    release();
    server.held = undefined;
    const { stats } = await done(id, 2);
    // The revision of the source may be told of after the translation was created, which is one more.
    expect([2, 3]).toContain(stats.runs);
    expect(server.sent).toHaveLength(1);
  });

  it('tells an error here from one of the provider', async () => {
    let release = () => undefined as void;
    server.held = new Promise<void>((resolve) => (release = resolve));
    const { id } = await translations.create('de', await sourceOf(pageOf('One', 'A lost sentence.\n')));
    await eventually(() => server.sent.length === 1);
    // What the engine does when a step has failed in all attempts.
    const context = { database: rig.store.database } as ServiceContext;
    const translator = new Translator({ TRANSLATION_AT_ONCE: 1 }, Date.now);
    const handler = translationHandler(context, translator, memoryObjects());
    const { organization } = rig;
    const actor = { kind: 'system', id: 'spec' } as const;
    const store = rig.store.scope({ actor, organization, operation: 'spec', correlation: 'spec' });
    const run = (await rig.store.load(translation, id)).running?.run ?? '';
    const { signal } = new AbortController();
    const about = { id: run, input: { translation: id }, step: 0, idem: 'spec', deadline: Date.now() + 10_000, signal };
    await handler.cleanUp(firstState, store, about, 'failed');
    await eventually(async () => (await translations.get(id)).lastError?.reason === 'unexpected');
    release();
    server.held = undefined;
    await translations.send('POST', `/${id}/run`, {});
    expect((await done(id, 1)).lastError).toBeUndefined();
  });

  it('goes on when a provider that was down answers again', async () => {
    server.status = 503;
    const { id } = await translations.create('de', await sourceOf(pageOf('One', 'Another sentence.\n')));
    await eventually(() => server.sent.length === 1);
    server.status = 200;
    const { lastError, result, usage } = await done(id, 1);
    expect([lastError, server.sent.length]).toEqual([undefined, 2]);
    expect(result).toBeDefined();
    expect(usage.latest.characters).toBe('One'.length + 'Another sentence.'.length);
  });

  it('comes to the terms of the glossary in the segments that contain them, and in no others', async () => {
    const space = await sourceOf(pageOf('One', 'Open the ledger.\n\nClose the door.\n'));
    const { id } = await translations.create('de', space);
    const { result } = await done(id, 1);
    server.sent.length = 0;
    const operations = [{ type: 'insert', translations: { en: 'ledger', de: 'Hauptbuch' } }];
    await rig.send('PUT', `/orgs/${rig.organization}/translations-glossary`, { body: { operations } });
    await eventually(() => server.sent.length > 0);
    await translations.completed(id);
    expect(server.sent.flat()).toEqual(['Open the <x id="900000"></x>.']);
    const { body } = await rig.send('GET', `/spaces/${result?.space}/content/pages`);
    const [page] = body['pages'] as { id: string }[];
    const shown = await rig.send('GET', `/spaces/${result?.space}/content/page/${page?.id}?format=markdown`);
    expect(shown.body['markdown']).toContain('Auf Open the Hauptbuch.\n\nAuf Close the door.');
  });

  it('has links that lead where those of the source do, within the result', async () => {
    const space = await sourceOf(
      pageOf('First', '## Set up\n\nText.\n'),
      pageOf('Second', '[set up](./first.md#set-up) and [the first](./first.md) of them.\n'),
    );
    const { id } = await translations.create('de', space);
    const { result } = await done(id, 1);
    const linksOf = async (of: unknown) => {
      const { body } = await rig.send('GET', `/spaces/${String(of)}/links`);
      return body.items.map(({ status, reference }) => ({ status, reference }));
    };
    const [links, translated] = [await linksOf(space), await linksOf(result?.space)];
    expect(links.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(JSON.stringify(links)).toContain('"anchor":"set-up"');
    expect(translated).toEqual(links);
  });

  it('leads links into other spaces to their results, and tells of no page that is gone', async () => {
    const other = await sourceOf(pageOf('Other', 'Text.\n'));
    const { result: led } = await done((await translations.create('de', other)).id, 1);
    const target = { kind: 'space', space: other };
    const space = await sourceOf(
      { operation: 'insert_link', title: 'Elsewhere', target },
      pageOf('Here', 'Words.\n'),
      pageOf('Gone', 'Lost words.\n'),
    );
    const { id } = await translations.create('de', space);
    const { result } = await done(id, 1);
    const pagesOf = async (of: unknown) =>
      (await rig.send('GET', `/spaces/${String(of)}/content/pages`)).body['pages'] as { id: string; target?: object }[];
    const [link, , gone] = await pagesOf(result?.space);
    expect(link?.target).toMatchObject({ kind: 'space', space: led?.space });
    const deletion = { operation: 'delete_page', page: gone?.id };
    await rig.send('POST', `/spaces/${space}/content`, { body: { changes: [deletion] } });
    await translations.send('POST', `/${id}/run`, { force: true });
    await eventually(async () => (await pagesOf(result?.space)).length === 2);
    await eventually(async () => {
      const { body } = await translations.send('GET', `/${id}/segments?limit=100`);
      return !JSON.stringify(body).includes('Lost words');
    });
  });
});

describe('an organization that gives no texts to language models', () => {
  it('has none sent to one', async () => {
    const server = await startTranslationServer();
    const provider = { TRANSLATION_PROVIDER: 'chat', TRANSLATION_URL: server.url, TRANSLATION_MODEL: 'm' };
    const rig = await startRig(provider, { alone: true });
    try {
      await rig.send('PATCH', `/orgs/${rig.organization}`, { body: { ai: false } });
      const translations = translationsOf(rig);
      const space = await makeSpace(rig);
      await rig.send('POST', `/spaces/${space}/content`, { body: { changes: [pageOf('One', 'A sentence.\n')] } });
      const { id } = await translations.create('de', space);
      const { lastError } = await translations.completed(id);
      expect([lastError?.reason, server.sent]).toEqual(['ai_disabled', []]);
    } finally {
      await rig.stop();
      await server.stop();
    }
  });
});
