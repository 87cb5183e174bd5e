import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Answer, type Rig } from '../../test/rig.js';

interface Found {
  id: string;
  title: string;
  path: string;
  sections: { id: string; title: string; path: string; body: string }[];
  ancestors: { title: string }[];
}

describe('search', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const change = (space: string, changes: object[]) => changeContentOf(rig, space, changes);
  const makeSpace = async (changes: object[] = [], body: object = {}): Promise<string> => {
    const made = await rig.send('POST', `${org}/spaces`, { body: { editMode: 'live', empty: true, ...body } });
    const space = String(made.body['id']);
    if (changes.length > 0) await change(space, changes);
    return space;
  };
  const ask = (path: string, query: string, more = '', token?: string) =>
    rig.send('GET', `${path}/search?query=${encodeURIComponent(query)}${more}`, token === undefined ? {} : { token });
  const found = async (space: string, query: string): Promise<Found[]> => {
    const answer = await ask(`/spaces/${space}`, query);
    expect(answer.status).toBe(200);
    return get(answer.body, 'items') as Found[];
  };
  const titles = async (space: string, query: string) => (await found(space, query)).map(({ title }) => title);
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

  describe('of a space', () => {
    it('finds pages by their titles, headings and texts, titles first, with the sections that have the word', async () => {
      const space = await makeSpace([
        page('Guides', 'Nothing here.', { ref: 'guides' }),
        page('Cables', 'Begin.\n\n## The connector\n\nA plug.\n\n## Other\n\nNo such thing.', { into: 'guides' }),
        page('Connector', 'All about it.'),
        page('Sockets', 'The connector fits. It is made of brass, as most of them are.'),
      ]);
      const items = await found(space, 'connector');
      expect(items.map(({ title }) => title)).toEqual(['Connector', 'Cables', 'Sockets']);
      expect(items[0]).toMatchObject({ path: 'connector', sections: [], ancestors: [] });
      expect(items[1]).toMatchObject({
        path: 'guides/cables',
        ancestors: [{ title: 'Guides' }],
        sections: [
          { id: 'the-connector', title: 'The connector', path: 'guides/cables#the-connector', body: 'A plug.' },
        ],
      });
      expect(items[2]).toMatchObject({
        sections: [
          { title: 'Sockets', path: 'sockets', body: 'The connector fits. It is made of brass, as most of them are.' },
        ],
      });
      expect(get(items[1], 'urls.app')).toMatch(new RegExp(`/s/${space}/${String(items[1]?.id)}$`));
      expect(get(items[1], 'sections.0.urls.app')).toMatch(/#the-connector$/);
    });

    it('wants all words, then tolerates a typing error, then any of the words', async () => {
      const space = await makeSpace([
        page('A', 'red apples and green pears'),
        page('B', 'red cherries'),
        page('C', 'green apples'),
      ]);
      expect(await titles(space, 'red apples')).toEqual(['A']);
      expect(await titles(space, 'cherries')).toEqual(['B']);
      expect(await titles(space, 'chery')).toEqual([]);
      expect(await titles(space, 'cherrias')).toEqual(['B']);
      expect((await titles(space, 'pears cherries')).sort()).toEqual(['A', 'B']);
      expect(await titles(space, 'rad')).toEqual([]);
      expect((await titles(space, 'appl')).sort()).toEqual(['A', 'C']);
      expect(await titles(space, 'appl red')).toEqual(await titles(space, 'red'));
      expect(await titles(space, '!?')).toEqual([]);
      expect(await titles(await makeSpace(), 'red')).toEqual([]);
    });

    it('shows a write with its answer: edits, renames, moves, deletions and reusable contents', async () => {
      const space = await makeSpace();
      const refs = await change(space, [
        page('A', 'first words', { ref: 'a' }),
        page('B', 'Before.\n\n{% include "/reusable-content/note" %}', { ref: 'b' }),
      ]);
      const { a = '', b = '' } = refs;
      expect(await titles(space, 'first')).toEqual(['A']);
      await change(space, [{ operation: 'update_page', page: a, document: { markdown: 'second thoughts' } }]);
      expect([await titles(space, 'first'), await titles(space, 'second')]).toEqual([[], ['A']]);
      await change(space, [{ operation: 'update_page', page: a, title: 'Renamed', into: b }]);
      expect(await found(space, 'second')).toMatchObject([{ title: 'Renamed', path: 'b/a' }]);
      const { note = '' } = await change(space, [
        {
          operation: 'insert_reusable_content',
          title: 'Note',
          document: { markdown: 'a careful warning' },
          ref: 'note',
        },
      ]);
      await change(space, [
        { operation: 'update_page', page: b, document: { markdown: `{% include "/reusable-content/${note}" %}` } },
      ]);
      expect(await titles(space, 'careful')).toEqual(['B']);
      await change(space, [
        { operation: 'update_reusable_content', reusableContent: note, document: { markdown: 'an easy hint' } },
      ]);
      expect([await titles(space, 'careful'), await titles(space, 'easy hint')]).toEqual([[], ['B']]);
      await change(space, [{ operation: 'delete_page', page: b }]);
      expect([await titles(space, 'easy'), await titles(space, 'second')]).toEqual([[], []]);
    });

    it('finds hidden pages, and other forms of words in the language of the space', async () => {
      const english = await makeSpace([page('A', 'It was installed.', { hidden: true, noIndex: true })], {
        language: 'en',
      });
      expect(await titles(english, 'installing it')).toEqual(['A']);
      const german = await makeSpace([page('A', 'Die Häuser am See.')], { language: 'de' });
      expect([await titles(german, 'Haus See'), await titles(german, 'hauser See')]).toEqual([['A'], ['A']]);
      const other = await makeSpace([page('A', 'It was installed.')]);
      expect(await titles(other, 'installing it')).toEqual(['A']);
      expect(await titles(other, 'installing')).toEqual([]);
      await rig.send('PATCH', `/spaces/${other}`, { body: { language: 'en' } });
      expect(await titles(other, 'installing')).toEqual(['A']);
    });

    it('finds parts of what is written without blanks', async () => {
      const space = await makeSpace([page('日本語の文書', '設定を保存します。'), page('ไทย', 'การติดตั้งโปรแกรม')]);
      expect(await titles(space, '保存')).toEqual(['日本語の文書']);
      expect(await titles(space, '語')).toEqual(['日本語の文書']);
      expect(await titles(space, '再起動')).toEqual([]);
      expect(await titles(space, 'ติดตั้ง')).toEqual(['ไทย']);
    });

    it('is a list in pages', async () => {
      const space = await makeSpace(Array.from({ length: 7 }, (_, n) => page(`P${n}`, `${'word '.repeat(n + 1)}`)));
      const all = (await found(space, 'word')).map(({ id }) => id);
      const seen: unknown[] = [];
      for (let next = ''; ;) {
        const { body } = await ask(`/spaces/${space}`, 'word', `&limit=3${next}`);
        expect(body['count']).toBe(7);
        seen.push(...body.items.map(({ id }) => id));
        const cursor = get(body, 'next.page') as string | undefined;
        if (cursor === undefined) break;
        next = `&page=${encodeURIComponent(cursor)}`;
      }
      expect(seen).toEqual(all);
      const other = await ask(`/spaces/${space}`, 'word', '&limit=3');
      const page2 = encodeURIComponent(String(get(other.body, 'next.page')));
      expect(refusal(await ask(`/spaces/${space}`, 'words', `&page=${page2}`))).toEqual([
        400,
        'invalid_request',
        'query.page',
      ]);
    });

    it('refuses queries that are none, and who may not view the space', async () => {
      const space = await makeSpace([page('A', 'word')]);
      const { token } = await rig.member('Gus Guest', null);
      for (const query of ['', ' ', 'a'.repeat(513)])
        expect(refusal(await ask(`/spaces/${space}`, query))).toEqual([400, 'invalid_request', 'query.query']);
      expect(refusal(await rig.send('GET', `/spaces/${space}/search`, {}))).toEqual([
        400,
        'invalid_request',
        'query.query',
      ]);
      expect((await ask(`/spaces/${space}`, 'word', '', token)).status).toBe(404);
      expect((await ask('/spaces/unknown', 'word')).status).toBe(404);
      await rig.send('DELETE', `/spaces/${space}`);
      expect((await ask(`/spaces/${space}`, 'word')).status).toBe(404);
    });
  });

  describe('of an organization', () => {
    const inOrganization = async (query: string, token?: string) => {
      const answer = await ask(org, query, '', token);
      expect(answer.status).toBe(200);
      return (get(answer.body, 'items') as { id: string; title: string; pages: Found[] }[]).map(({ title, pages }) => [
        title,
        pages.map((one) => one.title),
      ]);
    };

    it('finds pages by space, the space with the best page first, of those that the caller may view', async () => {
      const first = await makeSpace([page('One', 'a zebra'), page('Two', 'zebra')], { title: 'First' });
      await makeSpace([page('Zebra', 'zebra')], { title: 'Second' });
      await makeSpace([page('None', 'nothing')], { title: 'Third' });
      expect(await inOrganization('zebra')).toEqual([
        ['Second', ['Zebra']],
        ['First', ['Two', 'One']],
      ]);
      const guest = await rig.member('Gast Guest', null);
      expect(await inOrganization('zebra', guest.token)).toEqual([]);
      await rig.send('POST', `/spaces/${first}/permissions`, { body: { role: 'read', users: [guest.id] } });
      expect(await inOrganization('zebra', guest.token)).toEqual([['First', ['Two', 'One']]]);
      await rig.send('PATCH', `/spaces/${first}`, { body: { title: 'Other' } });
      expect(await inOrganization('zebra', guest.token)).toEqual([['Other', ['Two', 'One']]]);
      await rig.send('DELETE', `/spaces/${first}`);
      expect(await inOrganization('zebra', guest.token)).toEqual([]);
    });

    it('shows the ten best pages of a space, and how many more there are', async () => {
      await makeSpace(
        Array.from({ length: 12 }, (_, n) => page(`P${n}`, 'giraffe')),
        { title: 'Many' },
      );
      const { body } = await ask(org, 'giraffe');
      expect(body.items).toMatchObject([{ title: 'Many', more: 2 }]);
      expect(get(body, 'items.0.pages')).toHaveLength(10);
    });

    it('refuses queries that are none, and strangers', async () => {
      expect(refusal(await ask(org, ''))).toEqual([400, 'invalid_request', 'query.query']);
      expect((await ask('/orgs/unknown', 'word')).status).toBe(404);
    });
  });
});
