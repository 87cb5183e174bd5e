import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBranch, writeBranch } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Answer, type Rig } from '../../test/rig.js';

interface Link {
  status: string;
  relation: string;
  reference: Record<string, string>;
  targetReference?: object;
  locationReferences: object[];
  moreLocations?: number;
}

describe('links', () => {
  let rig: Rig;
  let ask: Asker;
  let org: string;
  beforeAll(async () => {
    rig = await startRig();
    ask = await connectAsker(rig);
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  const change = (space: string, changes: object[]) => changeContentOf(rig, space, changes);
  const makeSpace = async (body: object = {}): Promise<string> =>
    String((await rig.send('POST', `${org}/spaces`, { body: { editMode: 'live', empty: true, ...body } })).body['id']);
  const read = (path: string, token?: string) => rig.send('GET', path, token === undefined ? {} : { token });
  const list = async (path: string, token?: string): Promise<Link[]> => {
    const answer = await read(path, token);
    expect(answer.status).toBe(200);
    return get(answer.body, 'items') as Link[];
  };
  const short = (links: readonly Link[]) =>
    links.map(({ status, relation, reference }) => [status, relation, reference['kind']]);
  const statusesOf = async (path: string, token?: string) => (await list(path, token)).map(({ status }) => status);
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

  it('are listed in the order of the pages, each target once, with the places that link to it', async () => {
    const space = await makeSpace();
    const {
      a = '',
      b = '',
      c = '',
    } = await change(space, [
      page('A', 'See [b](./b.md) and [outside](https://example.com/x).', { ref: 'a' }),
      page('B', '## Part\n\nBack to [a](./a.md), and [b](#part).', { ref: 'b' }),
      page('C', 'Also [b](./b.md).', { ref: 'c' }),
    ]);
    const answer = await read(`/spaces/${space}/links`);
    const items = get(answer.body, 'items') as Link[];
    expect(short(items)).toEqual([
      ['ok', 'reference', 'page'],
      ['ok', 'reference', 'url'],
      ['ok', 'reference', 'page'],
      ['ok', 'reference', 'anchor'],
    ]);
    expect(answer.body).toMatchObject({ count: 4, stats: { total: 4, broken: { total: 0, changeRequest: 0 } } });
    const [toB, outside, toA, toPart] = items;
    expect(toB?.targetReference).toMatchObject({
      kind: 'page',
      organization: { object: 'organization', id: rig.organization },
      space: { object: 'space', id: space, editMode: 'live' },
      page: { id: b, title: 'B', path: 'b', pages: [] },
      versionContext: { type: 'revision', revision: { object: 'revision', pages: [] } },
    });
    expect(toB?.locationReferences).toMatchObject([{ page: { id: a } }, { page: { id: c } }]);
    expect(get(toB?.locationReferences[0], 'internalLocation')).toMatchObject({ type: 'node' });
    expect(outside?.targetReference).toEqual({ kind: 'url', url: 'https://example.com/x' });
    expect(toA?.locationReferences).toMatchObject([{ page: { id: b } }]);
    expect(toPart?.targetReference).toMatchObject({
      page: { id: b },
      internalLocation: { type: 'anchor', anchor: 'part' },
    });
    expect(short(await list(`/spaces/${space}/content/page/${c}/links`))).toEqual([['ok', 'reference', 'page']]);
    const one = await read(`/spaces/${space}/links?limit=1`);
    const next = encodeURIComponent(String(get(one.body, 'next.page')));
    expect(short(await list(`/spaces/${space}/links?limit=3&page=${next}`))).toEqual(short(items.slice(1)));
  });

  it('are broken as soon as their target is gone, and ok when it is back; files and contents are depended on', async () => {
    const space = await makeSpace();
    const {
      a = '',
      b = '',
      note = '',
      file = '',
    } = await change(space, [
      page('B', '## Part\n', { ref: 'b' }),
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'text' }, ref: 'note' },
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'QQ==', contentType: 'text/plain', ref: 'file' }] },
      page('A', '', { ref: 'a' }),
    ]);
    const markdown = `[b](/pages/${b}) [part](/pages/${b}#part)\n\n![](/files/${file})\n\n{% include "/reusable-content/${note}" %}`;
    await change(space, [{ operation: 'update_page', page: a, document: { markdown } }]);
    const links = `/spaces/${space}/links`;
    expect(short(await list(links))).toEqual([
      ['ok', 'reference', 'page'],
      ['ok', 'reference', 'anchor'],
      ['ok', 'dependsOn', 'file'],
      ['ok', 'dependsOn', 'reusable-content'],
    ]);
    await change(space, [{ operation: 'update_page', page: b, document: { markdown: '## Other\n' } }]);
    expect(await statusesOf(links)).toEqual(['ok', 'broken', 'ok', 'ok']);
    const before = (await read(`/spaces/${space}`)).body['revision'];
    await change(space, [
      { operation: 'delete_page', page: b },
      { operation: 'delete_file', file },
      { operation: 'delete_reusable_content', reusableContent: note },
    ]);
    const broken = await read(`${links}?status=broken`);
    expect(broken.body).toMatchObject({ count: 4, stats: { total: 4, broken: { total: 4 } } });
    expect(broken.body.items.every((item) => !('targetReference' in item))).toBe(true);
    expect(await list(`${links}?status=ok`)).toEqual([]);
    await rig.send('POST', `/spaces/${space}/revisions/${String(before)}/rollback`);
    expect(await statusesOf(links)).toEqual(['ok', 'broken', 'ok', 'ok']);
  });

  it('to the application are told apart, and those of navigation, covers and meta links belong to the list', async () => {
    const space = await makeSpace();
    const app = new URL(String(get((await read(`/spaces/${space}`)).body, 'urls.app'))).origin;
    const { a = '' } = await change(space, [page('A', `[app](${app}/settings)`, { ref: 'a' })]);
    await change(space, [
      {
        operation: 'update_page',
        page: a,
        cover: { ref: { kind: 'url', url: 'https://example.com/c.png' }, yPos: 0 },
        metaLinks: { canonical: { kind: 'page', page: 'gone' } },
      },
      { operation: 'insert_link', title: 'L', target: { kind: 'space', space } },
    ]);
    expect(short(await list(`/spaces/${space}/links`))).toEqual([
      ['ok', 'dependsOn', 'url'],
      ['broken', 'reference', 'page'],
      ['in-app', 'reference', 'url'],
      ['ok', 'reference', 'space'],
    ]);
  });

  it('into other spaces are judged as these are now, and as the caller may view them', async () => {
    const [from, to] = [await makeSpace({ title: 'From' }), await makeSpace({ title: 'To' })];
    const { target = '' } = await change(to, [page('Target', '## Part\n', { ref: 'target' })]);
    await change(from, [
      page('A', `[t](/spaces/${to}/pages/${target}) [p](/spaces/${to}/pages/${target}#part) [s](/spaces/${to})`),
    ]);
    const links = `/spaces/${from}/links`;
    const [first] = await list(links);
    expect(await statusesOf(links)).toEqual(['ok', 'ok', 'ok']);
    expect(first?.targetReference).toMatchObject({ space: { id: to, title: 'To' }, page: { title: 'Target' } });
    const tag = (await read(links)).headers.get('etag');
    await change(to, [{ operation: 'update_page', page: target, title: 'Renamed', document: { markdown: 'x' } }]);
    expect((await list(links))[0]?.targetReference).toMatchObject({ page: { title: 'Renamed' } });
    expect((await read(links)).headers.get('etag')).not.toBe(tag);
    expect(await statusesOf(links)).toEqual(['ok', 'broken', 'ok']);
    const guest = await rig.member('Gus Guest', null);
    await rig.send('POST', `/spaces/${from}/permissions`, { body: { role: 'read', users: [guest.id] } });
    const seen = await list(links, guest.token);
    expect(seen.map(({ status }) => status)).toEqual(['broken', 'broken', 'broken']);
    expect(JSON.stringify(seen)).not.toContain('Renamed');
    await change(to, [{ operation: 'delete_page', page: target }]);
    expect(await statusesOf(links)).toEqual(['broken', 'broken', 'ok']);
    await rig.send('DELETE', `/spaces/${to}`);
    expect(await statusesOf(links)).toEqual(['broken', 'broken', 'broken']);
  });

  it('lead back: pages and files list the places that link to them', async () => {
    const space = await makeSpace();
    const { b = '', file = '' } = await change(space, [
      page('B', '## Part\n', { ref: 'b' }),
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'QQ==', contentType: 'text/plain', ref: 'file' }] },
    ]);
    const {
      a = '',
      c = '',
      note = '',
    } = await change(space, [
      page('A', `![](/files/${file})\n\n[b](/pages/${b}#part)`, { ref: 'a', at: 0 }),
      page('C', `[b](/pages/${b})`, { ref: 'c' }),
      {
        operation: 'insert_reusable_content',
        title: 'Note',
        document: { markdown: `[file](/files/${file})` },
        ref: 'note',
      },
    ]);
    const toPage = await read(`/spaces/${space}/content/page/${b}/backlinks`);
    expect(toPage.body).toMatchObject({ count: 2, items: [{ page: { id: a } }, { page: { id: c } }] });
    const path = `/spaces/${space}/content/files/${file}/backlinks`;
    const toFile = await read(path);
    expect(toFile.body.items).toMatchObject([
      { kind: 'page', page: { id: a } },
      { kind: 'reusable-content', reusableContent: { id: note, title: 'Note' } },
    ]);
    const first = await read(`${path}?limit=1`);
    const next = encodeURIComponent(String(get(first.body, 'next.page')));
    expect((await read(`${path}?limit=1&page=${next}`)).body.items).toMatchObject([{ kind: 'reusable-content' }]);
    await change(space, [{ operation: 'delete_page', page: a }]);
    expect((await read(path)).body.items).toMatchObject([{ kind: 'reusable-content' }]);
    expect((await read(`/spaces/${space}/content/page/${c}/backlinks`)).body).toMatchObject({ count: 0, items: [] });
  });

  it('of a change request are those of its content; what it broke is counted', async () => {
    const space = await makeSpace();
    const { a = '', b = '' } = await change(space, [
      page('B', '', { ref: 'b' }),
      page('A', '[gone](/pages/gone)', { ref: 'a' }),
    ]);
    await change(space, [
      { operation: 'update_page', page: a, document: { markdown: `[gone](/pages/gone) [b](/pages/${b})` } },
    ]);
    const branch = `cr${space}`;
    await ask(openBranch, { space, branch });
    await ask(writeBranch, { space, branch, write: { changes: [{ operation: 'delete_page', page: b }] } });
    const request = `/spaces/${space}/change-requests/${branch}`;
    const main = await read(`/spaces/${space}/links`);
    const brokenBefore = Number(get(main.body, 'stats.broken.total'));
    const answer = await read(`${request}/links`);
    expect(get(answer.body, 'stats.broken')).toEqual({ total: brokenBefore + 1, changeRequest: 1 });
    expect((await read(`${request}/content/page/${a}/links`)).status).toBe(200);
    expect((await read(`${request}/content/page/${a}/backlinks`)).body).toMatchObject({ count: 0 });
    expect((await read(`${request}/content/page/${b}/backlinks`)).status).toBe(404);
    expect((await read(`${request}/content/files/none/backlinks`)).status).toBe(404);
    expect((await read(`/spaces/${space}/change-requests/none/links`)).status).toBe(404);
  });

  it('refuse what is not there, who may not view the space, and other statuses', async () => {
    const space = await makeSpace();
    const { a = '' } = await change(space, [page('A', '', { ref: 'a' })]);
    const { token } = await rig.member('Gast Guest', null);
    for (const path of [
      '/links',
      `/content/page/${a}/links`,
      `/content/page/${a}/backlinks`,
      '/content/files/none/backlinks',
    ])
      expect((await read(`/spaces/${space}${path}`, token)).status).toBe(404);
    for (const path of ['/content/page/none/links', '/content/page/none/backlinks', '/content/files/none/backlinks'])
      expect((await read(`/spaces/${space}${path}`)).status).toBe(404);
    expect(refusal(await read(`/spaces/${space}/links?status=other`))).toEqual([
      400,
      'invalid_request',
      'query.status',
    ]);
    await rig.send('DELETE', `/spaces/${space}`);
    expect((await read(`/spaces/${space}/links`)).status).toBe(404);
  });

  it('that call a space a collection are broken, and those beside them are not', async () => {
    const [space, other] = [await makeSpace(), await makeSpace()];
    const wrong = { kind: 'collection', collection: other };
    await change(space, [
      { operation: 'insert_link', title: 'Wrong', target: wrong },
      { operation: 'insert_link', title: 'Right', target: { kind: 'space', space: other } },
    ]);
    expect(short(await list(`/spaces/${space}/links`))).toEqual([
      ['broken', 'reference', 'collection'],
      ['ok', 'reference', 'space'],
    ]);
  });
});
