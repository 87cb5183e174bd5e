import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TranslationSegment } from '@scriptorium/contracts';
import { startRig, type Rig } from '../../../test/rig-with-store.js';
import { refusal } from '../../../test/spaces.js';
import { translationsOf } from '../../../test/translations.js';
import { recall, remember } from '../texts/segment-memory.operational.js';
import { replacePageSegments, type PageSegment } from './page-segments.operational.js';

jest.setTimeout(120_000);

describe('segments of a translation', () => {
  let rig: Rig;
  let scope: Parameters<typeof replacePageSegments>[0];
  let id = '';
  beforeAll(async () => {
    rig = await startRig();
    scope = { database: rig.store.database, now: Date.now };
    const made = await translationsOf(rig).create('de');
    ({ id } = await translationsOf(rig).completed(made.id));
  }, 60_000);
  afterAll(() => rig.stop());

  const segment = (name: string, source: string, more: Partial<PageSegment> = {}): PageSegment => ({
    ...{ segment: name, block: name, hash: `hash-${source}`, source, problems: [] },
    ...more,
  });
  const send = (method: string, rest: string, body?: unknown) =>
    translationsOf(rig).send(method, `/${id}/segments${rest}`, body);
  const list = async (query = '') => {
    const { body } = await send('GET', query);
    return body.items.map((item) => TranslationSegment.parse(item));
  };
  const only = async (query: string): Promise<TranslationSegment> => {
    const [found] = await list(query);
    if (found === undefined) throw new Error(`There is no segment ${query}`);
    return found;
  };
  const texts = (...given: string[][]) =>
    remember(
      scope,
      id,
      new Map(given.map(([source, text = '']) => [`hash-${source}`, { text, terms: [], request: 1 }])),
    );

  it('are listed page by page with what they read, also one by one', async () => {
    await texts(['Save', 'Speichern'], ['Open', 'Öffnen']);
    await replacePageSegments(scope, id, 'b', [segment('/title', 'Open'), segment('k1', 'Save')]);
    await replacePageSegments(scope, id, 'a', [segment('k1', 'Save'), segment('k2', 'Lost', { problems: ['tags'] })]);
    const all = await list();
    expect(all.map(({ page, block, source, target }) => [page, block, source, target])).toEqual([
      ['a', 'k1', 'Save', 'Speichern'],
      ['a', 'k2', 'Lost', null],
      ['b', '/title', 'Open', 'Öffnen'],
      ['b', 'k1', 'Save', 'Speichern'],
    ]);
    const first = await send('GET', '?limit=3');
    expect(first.body).toMatchObject({ count: 4 });
    const { page } = first.body['next'] as { page: string };
    expect(await list(`?limit=3&page=${page}`)).toEqual(all.slice(3));
    expect(await list('?pageId=b')).toEqual(all.slice(2));
    expect(await list('?problem=true')).toEqual([all[1]]);
    expect(await list('?problem=false&pageId=a')).toEqual([all[0]]);
    expect(await list('?pinned=true')).toEqual([]);
    expect((await translationsOf(rig).get(id)).stats.problems).toBe(1);
  });

  it('are fewer when their page is, and none when it is gone', async () => {
    await replacePageSegments(scope, id, 'c', [segment('k1', 'One'), segment('k2', 'Two')]);
    await replacePageSegments(scope, id, 'c', [segment('k2', 'Two')]);
    expect((await list('?pageId=c')).map(({ block }) => block)).toEqual(['k2']);
    await replacePageSegments(scope, id, 'c', []);
    expect(await list('?pageId=c')).toEqual([]);
  });

  it('are corrected, with all that are equal, which requests a run', async () => {
    await texts(['Close', 'Schliessen']);
    for (const page of ['d', 'e']) await replacePageSegments(scope, id, page, [segment('k1', 'Close')]);
    const { lastError } = await translationsOf(rig).completed(id);
    const put = await send('PUT', `/${(await only('?pageId=d')).id}`, { target: 'Schließen' });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ page: 'd', target: 'Schließen', pinned: true, problems: [] });
    expect(await only('?pageId=e')).toMatchObject({ target: 'Schließen', pinned: true });
    expect((await recall(scope, id, ['hash-Close'])).get('hash-Close')).toMatchObject({ isPinned: true });
    expect((await translationsOf(rig).completed(id)).lastError?.at).not.toBe(lastError?.at);
    // A run leaves it as it is.
    await replacePageSegments(scope, id, 'e', [segment('k1', 'Close')]);
    expect(await list('?pinned=true')).toHaveLength(2);

    const back = await send('PUT', `/${(await only('?pageId=e')).id}`, { target: null });
    expect(back.body).toMatchObject({ page: 'e', target: 'Schliessen', pinned: false });
    expect(await list('?pinned=true')).toEqual([]);
  });

  it('are offered for review when the source of a correction has changed', async () => {
    await texts(['Old', 'Alt'], ['New', 'Neu']);
    await replacePageSegments(scope, id, 'f', [segment('k1', 'Old')]);
    const { id: one } = await only('?pageId=f');
    await send('PUT', `/${one}`, { target: 'Älter' });
    await replacePageSegments(scope, id, 'f', [segment('k1', 'New')]);
    expect(await only('?pageId=f&problem=true')).toMatchObject({
      id: one,
      target: 'Neu',
      problems: ['source_changed'],
      correction: { source: 'Old', target: 'Älter' },
    });
    await replacePageSegments(scope, id, 'f', [segment('k1', 'Old')]);
    expect(await only('?pageId=f')).toMatchObject({ target: 'Älter', problems: [], pinned: true });
    await replacePageSegments(scope, id, 'f', [segment('k1', 'New')]);
    await send('PUT', `/${one}`, { target: null });
    expect(await only('?pageId=f')).toMatchObject({ target: 'Neu', problems: [], pinned: false });
    await replacePageSegments(scope, id, 'f', [segment('k1', 'Old')]);
    expect(await only('?pageId=f')).toMatchObject({ target: 'Alt', pinned: false });
  });

  it('stay corrected when there is another provider', async () => {
    for (const page of ['i', 'j']) await replacePageSegments(scope, id, page, [segment('k1', 'Quit')]);
    const { id: one } = await only('?pageId=i');
    await send('PUT', `/${one}`, { target: 'Beenden' });
    for (const page of ['i', 'j'])
      await replacePageSegments(scope, id, page, [segment('k1', 'Quit', { hash: 'hash-of-another' })]);
    for (const page of ['i', 'j'])
      expect(await only(`?pageId=${page}`)).toMatchObject({ target: 'Beenden', pinned: true, problems: [] });
    await send('PUT', `/${(await only('?pageId=j')).id}`, { target: 'Verlassen' });
    expect(await only('?pageId=i')).toMatchObject({ target: 'Verlassen', pinned: true });
    await send('PUT', `/${one}`, { target: null });
    await replacePageSegments(scope, id, 'j', [segment('k1', 'Quit', { hash: 'hash-of-another' })]);
    expect(await only('?pageId=j')).toMatchObject({ target: null, pinned: false });
  });

  it('change nothing in a dry run', async () => {
    await texts(['Dry', 'Trocken']);
    await replacePageSegments(scope, id, 'g', [segment('k1', 'Dry')]);
    const { id: one } = await only('?pageId=g');
    const dry = await send('PUT', `/${one}?dryRun=true`, { target: 'Herb' });
    expect(dry.body).toMatchObject({ target: 'Herb', pinned: true });
    expect(await only('?pageId=g')).toMatchObject({ target: 'Trocken', pinned: false });
  });

  it('refuse what a provider must not give', async () => {
    const source = 'Open <g id="1">{{name}}</g> in 3 steps';
    await replacePageSegments(scope, id, 'h', [segment('k1', source), segment('k2', 'The space is full')]);
    const [first, second] = await list('?pageId=h');
    const problemsOf = async (one: TranslationSegment | undefined, target: string) => {
      const answer = await send('PUT', `/${one?.id}`, { target });
      return [...refusal(answer).slice(0, 2), answer.body.error.message];
    };
    const refused = (problem: string) => [422, 'content_change_invalid', expect.stringContaining(problem)];
    expect(await problemsOf(first, 'Öffne {{name}} in 3 Schritten')).toEqual(refused('tags'));
    expect(await problemsOf(first, 'Öffne <g id="1">{{Name}}</g> in 4 Schritten')).toEqual(
      refused('literals, numbers'),
    );
    expect(await problemsOf(first, '<script>')).toEqual(refused('markup'));
    expect(await problemsOf(second, 'Der Bereich\nist voll')).toEqual(refused('characters'));
    await replacePageSegments(scope, id, 'k', [segment('/title', 'A title')]);
    const [title] = await list('?pageId=k');
    expect(await problemsOf(title, 'Titel '.repeat(60))).toEqual(refused('length'));
    const operations = [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }];
    await rig.send('PUT', `/orgs/${rig.organization}/translations-glossary`, { body: { operations } });
    expect(await problemsOf(second, 'Der Raum ist voll')).toEqual(refused('glossary'));
    expect((await send('PUT', `/${second?.id}`, { target: 'Der Bereich ist voll' })).status).toBe(200);
    expect(refusal(await send('PUT', `/${second?.id}`, { target: '' }))).toEqual([
      400,
      'invalid_request',
      'body.target',
    ]);
    expect((await send('PUT', '/nothing', { target: 'x' })).status).toBe(404);
  });
});
