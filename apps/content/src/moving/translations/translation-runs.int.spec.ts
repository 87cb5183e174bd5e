import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { startTranslationServer, type TranslationServer } from '../../test/translation-server.js';
import { translationsOf } from '../../test/translations.js';

jest.setTimeout(120_000);

const pageOf = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });

describe('a run of a translation', () => {
  let rig: Rig;
  let server: TranslationServer;
  let translations: ReturnType<typeof translationsOf>;
  beforeAll(async () => {
    server = await startTranslationServer();
    const variables = {
      ...{ TRANSLATION_PROVIDER: 'libretranslate', TRANSLATION_URL: server.url, TRANSLATION_WAIT_SECONDS: '0' },
    };
    rig = await startRig(variables, { alone: true });
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

  const change = async (space: string, changes: object[]) => {
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const pagesOf = async (space: string) =>
    (await rig.send('GET', `/spaces/${space}/content/pages`)).body['pages'] as { id: string; title: string }[];
  const textOf = async (space: string, page: string) =>
    String((await rig.send('GET', `/spaces/${space}/content/page/${page}?format=markdown`)).body['markdown']);
  const done = async (id: string, runs: number) => {
    await eventually(async () => (await translations.get(id)).stats.runs >= runs, 60_000);
    return translations.get(id);
  };
  const translated = async (space: string) => {
    const made = await translations.send('POST', '', { language: 'de', source: { space } });
    expect(made.status).toBe(201);
    const id = String(made.body['id']);
    const { result } = await done(id, 1);
    return { id, result: String(result?.space) };
  };

  it('makes a space beside the source, with the same pages in the other language', async () => {
    const space = await makeSpace(rig, { title: 'Handbook' });
    await change(space, [
      pageOf('Install', '# Install it\n\n## Step one\n\nRun **one** command, then `npm start` it.\n'),
      pageOf('Use', 'Read [the page](https://docs.example/secret/page) of it.\n'),
    ]);
    const { id, result } = await translated(space);
    expect(await translations.get(id)).toMatchObject({ status: 'completed', stats: { runs: 1, totalPages: 2 } });
    const shown = (await rig.send('GET', `/spaces/${result}`)).body;
    expect(shown).toMatchObject({ title: 'Handbook (DE)', language: 'de', readOnly: { translation: id } });
    const [source, target] = [await pagesOf(space), await pagesOf(result)];
    expect(target.map((page) => page.id)).toEqual(source.map((page) => page.id));
    expect(target.map(({ title }) => title)).toEqual(['Auf Install it', 'Auf Use']);
    const text = await textOf(result, source[0]?.id ?? '');
    expect(text).toContain('Auf Run **one** command, then `npm start` it.');
    // Nothing but words leaves.
    const sent = JSON.stringify(server.sent);
    for (const secret of ['docs.example', 'npm start', space, ...source.map((page) => page.id)])
      expect(sent).not.toContain(secret);
    const written = await rig.send('POST', `/spaces/${result}/content`, { body: { changes: [pageOf('Own', 'Own.')] } });
    expect(refusal(written)[1]).toBe('space_read_only');
  });

  it('sends one segment for one edited sentence, and takes over what moves and goes', async () => {
    const space = await makeSpace(rig);
    const texts = ['One', 'Two', 'Three', 'Four'].map((title) =>
      pageOf(title, `About ${title}.\n\nMore of ${title}.\n`),
    );
    await change(space, texts);
    const { id, result } = await translated(space);
    const [one, two, three] = await pagesOf(space);
    const documentsOf = async () =>
      Promise.all((await pagesOf(result)).map(async (page) => [page.id, await textOf(result, page.id)] as const));
    const before = new Map(await documentsOf());
    server.sent.length = 0;
    const markdown = 'About One.\n\nMore of this One.\n';
    await change(space, [
      { operation: 'update_page', page: one?.id, document: { markdown } },
      { operation: 'delete_page', page: two?.id },
      { operation: 'update_page', page: three?.id, at: 0 },
    ]);
    await eventually(async () => (await pagesOf(result)).length === 3, 60_000);
    expect(server.sent).toEqual([['More of this One.']]);
    expect(await pagesOf(result)).toMatchObject((await pagesOf(space)).map((page) => ({ id: page.id })));
    for (const [page, text] of await documentsOf())
      if (page === one?.id) expect(text).toContain('Auf More of this One.');
      else expect(text).toBe(before.get(page));
    const { stats } = await done(id, 2);
    expect(stats.totalPages).toBe(3);
    expect((await rig.send('GET', `/spaces/${result}/revisions`)).body).toMatchObject({ count: 2 });
  });

  it('adds no revision when nothing has changed, and translates all again when it is forced to', async () => {
    const space = await makeSpace(rig);
    await change(space, [pageOf('One', 'A sentence.\n')]);
    const { id, result } = await translated(space);
    server.sent.length = 0;
    expect((await translations.send('POST', `/${id}/run`, {})).status).toBe(204);
    await done(id, 2);
    expect(server.sent).toEqual([]);
    expect((await translations.send('POST', `/${id}/run`, { force: true })).status).toBe(204);
    await done(id, 3);
    expect(server.sent.flat().sort()).toEqual(['A sentence.', 'One']);
    expect((await rig.send('GET', `/spaces/${result}/revisions`)).body).toMatchObject({ count: 1 });
  });

  it('keeps the source where what a provider gives cannot be used, and tells of it', async () => {
    const space = await makeSpace(rig);
    server.say = (text) => (text.includes('42') ? text.replace('42', '43') : `Auf ${text}`);
    await change(space, [pageOf('One', 'There are 42 of them.\n\nA sentence.\n')]);
    const { id, result } = await translated(space);
    server.say = (text) => `Auf ${text}`;
    const [page] = await pagesOf(result);
    expect(await textOf(result, page?.id ?? '')).toContain('There are 42 of them.\n\nAuf A sentence.');
    // It was asked once more, alone.
    expect(server.sent.flat().filter((text) => text.includes('42'))).toHaveLength(2);
    const { body } = await translations.send('GET', `/${id}/segments?problem=true`);
    expect(get(body, 'items.0.problems')).toEqual(['numbers']);
  });

  it('remembers a correction whatever is done', async () => {
    const space = await makeSpace(rig);
    await change(space, [pageOf('One', 'A sentence.\n')]);
    const { id, result } = await translated(space);
    const { body } = await translations.send('GET', `/${id}/segments`);
    const segment = String(body.items.find((one) => one['source'] === 'A sentence.')?.['id']);
    const pinned = await translations.send('PUT', `/${id}/segments/${segment}`, { target: 'Ein Satz.' });
    expect(pinned.status).toBe(200);
    await done(id, 2);
    const [page] = await pagesOf(result);
    expect(await textOf(result, page?.id ?? '')).toContain('Ein Satz.');
    await translations.send('POST', `/${id}/run`, { force: true });
    await done(id, 3);
    expect(await textOf(result, page?.id ?? '')).toContain('Ein Satz.');
  });

  it('ends with an error when its result is deleted, and goes on when that is restored', async () => {
    const space = await makeSpace(rig);
    await change(space, [pageOf('One', 'A sentence.\n')]);
    const { id, result } = await translated(space);
    await rig.send('DELETE', `/spaces/${result}`);
    await translations.send('POST', `/${id}/run`, {});
    await eventually(async () => (await translations.get(id)).lastError?.reason === 'result_deleted');
    await rig.send('POST', `/spaces/${result}/restore`);
    await translations.send('POST', `/${id}/run`, {});
    await eventually(async () => (await translations.get(id)).lastError === undefined);
    await rig.send('DELETE', `/spaces/${space}`);
    await translations.send('POST', `/${id}/run`, {});
    await eventually(async () => (await translations.get(id)).lastError?.reason === 'source_deleted');
    await rig.send('POST', `/spaces/${space}/restore`);
    await eventually(async () => (await translations.get(id)).lastError === undefined);
  });

  it('leaves an ordinary space behind', async () => {
    const space = await makeSpace(rig);
    await change(space, [pageOf('One', 'A sentence.\n')]);
    const { id, result } = await translated(space);
    expect((await translations.send('DELETE', `/${id}`)).status).toBe(205);
    await eventually(async () => (await rig.send('GET', `/spaces/${result}`)).body['readOnly'] === undefined);
    await rig.send('PATCH', `/spaces/${result}`, { body: { editMode: 'live' } });
    await change(result, [pageOf('Two', 'Eigenes.\n')]);
    const memory = rig.store.database.collection('op_translation_segments');
    await eventually(async () => (await memory.countDocuments({ translation: id })) === 0);
  });
});
