import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Translation } from '@scriptorium/contracts';
import { startRig, type Person, type Rig } from '../../test/rig.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { translationsOf } from '../../test/translations.js';

jest.setTimeout(120_000);

describe('translations without a provider', () => {
  let rig: Rig;
  let translations: ReturnType<typeof translationsOf>;
  beforeAll(async () => {
    rig = await startRig();
    translations = translationsOf(rig);
  }, 60_000);
  afterAll(() => rig.stop());

  it('are created pending, and end with what the operator has to set', async () => {
    const space = await makeSpace(rig, { title: 'Guide', language: 'en' });
    const answer = await translations.send('POST', '', {
      language: 'de',
      source: { space },
      instructions: { markdown: 'Say **du**.' },
    });
    expect(answer.status).toBe(201);
    const made = Translation.parse(answer.body);
    expect(answer.headers.get('location')).toBe(made.urls.location);
    expect(made).toMatchObject({
      object: 'translation',
      status: expect.stringMatching(/pending|running|completed/),
      source: { space, language: 'en' },
      language: 'de',
      permissions: { view: true, edit: true },
    });
    expect(JSON.stringify(made.instructions)).toContain('du');
    const ended = await translations.completed(made.id);
    expect(ended).toMatchObject({
      status: 'completed',
      stats: { runs: 0, totalWords: 0, totalPages: 0, problems: 0 },
      usage: { latest: { characters: 0 }, total: { characters: 0 } },
      lastError: { reason: 'no_provider', message: expect.stringContaining('TRANSLATION_PROVIDER') },
    });
    expect(ended.result).toBeUndefined();
    expect(ended.progress).toBeUndefined();
  });

  it('have an empty document for instructions until somebody writes some', async () => {
    const { id, instructions } = await translations.create('fr');
    expect(instructions).toMatchObject({ object: 'document', nodes: [] });
    await translations.completed(id);
    const put = await translations.send('PUT', `/${id}`, { instructions: { markdown: 'Be brief.' } });
    expect(put.status).toBe(200);
    expect(JSON.stringify(put.body['instructions'])).toContain('Be brief.');
    expect(JSON.stringify((await translations.get(id)).instructions)).toContain('Be brief.');
    const before = await translations.completed(id);
    const same = await translations.send('PUT', `/${id}`, { instructions: { markdown: 'Be brief.' } });
    expect(same.body).toMatchObject({ status: 'completed', updatedAt: before.updatedAt });
  });

  it('are run again, which is answered with nothing', async () => {
    const { id } = await translations.create('fr');
    const { lastError } = await translations.completed(id);
    expect((await translations.send('POST', `/${id}/run`)).status).toBe(204);
    const again = await translations.completed(id);
    expect(again.lastError?.at).not.toBe(lastError?.at);
    expect((await translations.send('POST', `/${id}/run`, { pages: ['a'], force: true })).status).toBe(204);
  });

  it('are listed, the newest first, by space and by language', async () => {
    const space = await makeSpace(rig);
    const first = await translations.create('es', space);
    const second = await translations.create('sl', space);
    const ids = async (query: string) => {
      const { body } = await translations.send('GET', query);
      return body.items.map(({ id }) => id);
    };
    expect(await ids(`?space=${space}`)).toEqual([second.id, first.id]);
    expect(await ids('?language=sl')).toEqual([second.id]);
    expect((await translations.send('GET', `?space=${space}&limit=1`)).body).toMatchObject({
      count: 2,
      next: { page: expect.any(String) },
    });
  });

  it('are deleted, and can be created again then', async () => {
    const { id, source } = await translations.create('it');
    expect((await translations.send('DELETE', `/${id}`)).status).toBe(205);
    expect((await translations.send('DELETE', `/${id}`)).status).toBe(204);
    expect((await translations.send('GET', `/${id}`)).status).toBe(404);
    expect((await translations.send('POST', `/${id}/run`)).status).toBe(404);
    expect((await translations.create('it', source.space)).id).not.toBe(id);
  });

  it('can be looked back on', async () => {
    const { id } = await translations.create('pl');
    await translations.completed(id);
    const { headers } = await translations.send('PUT', `/${id}`, { instructions: { markdown: 'First.' } });
    await translations.send('PUT', `/${id}`, { instructions: { markdown: 'Second.' } });
    await translations.completed(id);
    const then = await translations.send('GET', `/${id}?asOf=${headers.get('scriptorium-position')}`);
    expect(then.body).toMatchObject({ status: 'pending', source: { language: 'en' }, language: 'pl' });
    expect(JSON.stringify(then.body['instructions'])).toContain('First.');
  });

  it('change nothing in a dry run', async () => {
    const space = await makeSpace(rig);
    const dry = await translations.send('POST', '?dryRun=true', {
      language: 'nl',
      source: { space },
      instructions: { markdown: 'Dry.' },
    });
    expect(dry.body).toMatchObject({ status: 'pending', language: 'nl' });
    expect(JSON.stringify(dry.body)).toContain('Dry.');
    expect((await translations.send('GET', `?space=${space}`)).body).toMatchObject({ count: 0 });
  });

  it.each<[string, object, object | undefined, unknown[]]>([
    ['the language of the source', { language: 'en' }, undefined, [400, 'invalid_request', 'body.language']],
    ['an unknown language', { language: 'xx' }, undefined, [400, 'invalid_request', 'body.language']],
    ['no language', {}, undefined, [400, 'invalid_request', 'body.language']],
    [
      'another language than the space has',
      { language: 'fr' },
      { language: 'de' },
      [400, 'invalid_request', 'body.source.language'],
    ],
    ['a space that is not there', { language: 'fr' }, { space: 'nothing' }, [404, 'not_found', 'body.source.space']],
    [
      'instructions that are too long',
      { language: 'fr', instructions: { markdown: 'a'.repeat(32 * 1024 + 1) } },
      undefined,
      [400, 'invalid_request', 'body.instructions'],
    ],
  ])('refuse %s', async (_what, body, source, expected) => {
    const space = await makeSpace(rig, { language: 'en' });
    const answer = await translations.send('POST', '', { source: { space, ...source }, ...body });
    expect(refusal(answer)).toEqual(expected);
  });

  it('refuse a second one into the same language, and what changes the language', async () => {
    const { id, source } = await translations.create('da');
    const again = await translations.send('POST', '', { language: 'da', source: { space: source.space } });
    expect(refusal(again)).toEqual([409, 'conflict', 'body.language']);
    const put = await translations.send('PUT', `/${id}`, { instructions: { markdown: 'a' }, language: 'fr' });
    expect(refusal(put)).toEqual([400, 'invalid_request', 'body.language']);
    expect(refusal(await translations.send('PUT', `/${id}`, {}))).toEqual([
      400,
      'invalid_request',
      'body.instructions',
    ]);
    const pages = Array.from({ length: 1_001 }, (_, i) => `p${i}`);
    expect(refusal(await translations.send('POST', `/${id}/run`, { pages }))).toEqual([
      400,
      'invalid_request',
      'body.pages',
    ]);
  });

  it('are at most 20 of a space', async () => {
    const space = await makeSpace(rig);
    const languages = 'fr de es it pt ru ja zh ko ar hi nl pl tr sv no da fi el cs'.split(' ');
    for (const language of languages) await translations.create(language, space);
    const more = await translations.send('POST', '', { language: 'hu', source: { space } });
    expect(refusal(more)).toEqual([409, 'limit_reached', undefined]);
  });

  it('are for admins of the organization alone', async () => {
    const { id, source } = await translations.create('bg');
    const creator = await rig.member('Creator', 'create');
    const stranger = await rig.person('Stranger');
    const requests: [string, string, unknown?][] = [
      ['GET', ''],
      ['POST', '', { language: 'hr', source: { space: source.space } }],
      ['GET', `/${id}`],
      ['PUT', `/${id}`, { instructions: { markdown: 'a' } }],
      ['POST', `/${id}/run`],
      ['DELETE', `/${id}`],
    ];
    const statuses = async (by: Person) =>
      Promise.all(
        requests.map(async ([method, rest, body]) => (await translations.send(method, rest, body, by)).status),
      );
    expect(await statuses(creator)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await statuses(stranger)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await translations.get(id)).id).toBe(id);
  });
});
