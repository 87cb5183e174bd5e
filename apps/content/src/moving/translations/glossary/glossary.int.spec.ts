import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GlossaryEntry } from '@scriptorium/contracts';
import { eventually, startRig, type Person, type Rig } from '../../../test/rig.js';
import { refusal } from '../../../test/spaces.js';
import { translationsOf } from '../../../test/translations.js';

jest.setTimeout(120_000);

describe('the glossary of an organization', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (method: string, rest: string, body?: unknown, by?: Person) =>
    rig.send(method, `/orgs/${rig.organization}/translations-glossary${rest}`, {
      ...(body !== undefined && { body }),
      ...(by && { token: by.token }),
    });
  const put = (...operations: object[]) => send('PUT', '', { operations });
  const insert = (translations: object) => ({ type: 'insert', translations });
  const entries = async () => {
    const { body } = await send('GET', '?limit=1000');
    return body.items.map((item) => GlossaryEntry.parse(item));
  };
  const entryOf = async (en: string) => {
    const found = (await entries()).find(({ translations }) => translations.en === en);
    if (found === undefined) throw new Error(`There is no entry of ${en}`);
    return found;
  };

  it('is inserted into, changed and deleted from by one request', async () => {
    expect((await put(insert({ en: 'space', de: 'Bereich' }), insert({ en: 'Scriptorium', de: null }))).status).toBe(
      204,
    );
    const space = await entryOf('space');
    const name = await entryOf('Scriptorium');
    expect(name.translations).toEqual({ en: 'Scriptorium', de: null });
    expect((await send('GET', `/${space.id}`)).body).toEqual(space);
    const change = { type: 'update', id: space.id, translations: { en: 'space', de: 'Raum', fr: 'espace' } };
    expect((await put(change, { type: 'delete', id: name.id }, insert({ en: 'page', de: 'Seite' }))).status).toBe(204);
    expect((await entryOf('space')).translations).toEqual({ en: 'space', de: 'Raum', fr: 'espace' });
    expect((await send('GET', `/${name.id}`)).status).toBe(404);
    expect((await put({ type: 'delete', id: name.id })).status).toBe(204);
  });

  it('has runs requested of the translations whose languages a term has', async () => {
    const translations = translationsOf(rig);
    const german = await translations.create('de');
    const french = await translations.create('fr');
    const [before, other] = [await translations.completed(german.id), await translations.completed(french.id)];
    await put(insert({ en: 'reader', de: 'Leser' }));
    const runAgain = async (id: string, at: string | undefined) => {
      await eventually(async () => {
        const { status, lastError } = await translations.get(id);
        return status === 'completed' && lastError?.at !== at;
      });
      return (await translations.get(id)).lastError?.at;
    };
    const second = await runAgain(german.id, before.lastError?.at);
    const { id } = await entryOf('reader');
    await put({ type: 'update', id, translations: { en: 'reader', fr: 'lecteur' } });
    await runAgain(german.id, second);
    await runAgain(french.id, other.lastError?.at);
  });

  it('has no two entries of one term, also when they come at once', async () => {
    await put(insert({ en: 'branch', de: 'Zweig' }));
    expect(refusal(await put(insert({ en: 'tree', de: 'Baum' }), insert({ en: 'Branch', de: 'Ast' })))).toEqual([
      409,
      'conflict',
      'body.operations[1].translations',
    ]);
    expect((await entries()).some(({ translations }) => translations.en === 'tree')).toBe(false);
    const both = await Promise.all([
      put(insert({ en: 'leaf', de: 'Blatt' })),
      put(insert({ en: 'leaf', fr: 'feuille' })),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    // The term moves from one entry to another.
    const { id } = await entryOf('branch');
    const moved = [
      { type: 'update', id, translations: { en: 'twig', de: 'Zweig' } },
      insert({ en: 'branch', de: 'Ast' }),
    ];
    expect((await put(...moved)).status).toBe(204);
  });

  it('is changed once by a request that is repeated with its key', async () => {
    const repeated = () =>
      rig.send('PUT', `/orgs/${rig.organization}/translations-glossary`, {
        body: { operations: [insert({ en: 'once', de: 'einmal' })] },
        headers: { 'idempotency-key': 'once' },
      });
    const answers = [await repeated(), await repeated()];
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await entries()).filter(({ translations }) => translations.en === 'once')).toHaveLength(1);
  });

  it('stays as it is in a dry run', async () => {
    const before = await entries();
    const dry = await send('PUT', '?dryRun=true', { operations: [insert({ en: 'dry', de: 'trocken' })] });
    expect(dry.status).toBe(204);
    expect(await entries()).toEqual(before);
  });

  it.each<[string, object[], unknown[]]>([
    ['no operations', [], [400, 'invalid_request', 'body.operations']],
    [
      'more than 100 operations',
      Array.from({ length: 101 }, (_, i) => insert({ en: `a${i}`, de: 'b' })),
      [400, 'invalid_request', 'body.operations'],
    ],
    ['one language', [insert({ en: 'a' })], [400, 'invalid_request', 'body.operations[0].translations']],
    ['no term', [insert({ en: null, de: null })], [400, 'invalid_request', 'body.operations[0].translations']],
    [
      'an unknown language',
      [insert({ en: 'a', xx: 'b' })],
      [400, 'invalid_request', 'body.operations[0].translations'],
    ],
    [
      'a long term',
      [insert({ en: 'a'.repeat(257), de: 'b' })],
      [400, 'invalid_request', 'body.operations[0].translations.en'],
    ],
    ['an empty term', [insert({ en: ' ', de: 'b' })], [400, 'invalid_request', 'body.operations[0].translations.en']],
    [
      'an entry that is not there',
      [{ type: 'update', id: 'nothing', translations: { en: 'a', de: 'b' } }],
      [400, 'invalid_request', 'body.operations[0].id'],
    ],
  ])('refuses %s', async (_what, operations, expected) => {
    expect(refusal(await put(...operations))).toEqual(expected);
  });

  it('is for admins alone', async () => {
    const creator = await rig.member('Creator', 'create');
    const { id } = await entryOf('space');
    const operations = [{ type: 'delete', id }];
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PUT', '', { operations }],
      ['GET', `/${id}`],
    ] as const)
      expect((await send(method, rest, body, creator)).status).toBe(403);
    expect((await send('GET', '/nothing')).status).toBe(404);
  });
});

describe('a glossary of an installation with a limit', () => {
  it('has at most as many entries', async () => {
    const rig = await startRig({ MAX_GLOSSARY_ENTRIES_PER_ORGANIZATION: '1' });
    try {
      const operations = ['a', 'b'].map((en) => ({ type: 'insert', translations: { en, de: en } }));
      const answer = await rig.send('PUT', `/orgs/${rig.organization}/translations-glossary`, { body: { operations } });
      expect(refusal(answer)).toEqual([409, 'limit_reached', 'glossaryEntriesPerOrganization']);
    } finally {
      await rig.stop();
    }
  });
});
