import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBranch } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';

const paid = { plan: 'paid' };
const condition = 'visitor.claims.plan == "paid"';
const bytes = (text: string) => Buffer.from(text).toString('base64');

/** What a visitor without the claim must not find in any answer: words of hidden titles, texts, names of files. */
const hidden = /secretword|veiledword|Confidential|secret\.txt|veiled\.txt|SharedSecret|belowword|visitor\.claims/;

describe('the content that visitors read', () => {
  let rig: Rig;
  let ask: Asker;
  let issuer: TokenIssuer;
  let space: string;
  let other: string;
  let refs: Record<string, string>;
  let token: string;
  let member: string;

  beforeAll(async () => {
    rig = await startRig();
    ask = await connectAsker(rig);
    issuer = await startIssuer(rig);
    const make = async () =>
      String(
        (await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { editMode: 'live', empty: true } })).body[
          'id'
        ],
      );
    [space, other] = [await make(), await make()];
    refs = {
      ...(await changeContentOf(rig, other, [page('Elsewhere', 'Far away.', { ref: 'elsewhere' })])),
      ...(await changeContentOf(rig, space, [
        {
          operation: 'insert_files',
          files: [
            { name: 'open.txt', base64: bytes('open'), contentType: 'text/plain', ref: 'openFile' },
            { name: 'secret.txt', base64: bytes('secret'), contentType: 'text/plain', ref: 'secretFile' },
            { name: 'veiled.txt', base64: bytes('veiled'), contentType: 'text/plain', ref: 'veiledFile' },
            { name: 'unused.txt', base64: bytes('unused'), contentType: 'text/plain', ref: 'unusedFile' },
          ],
        },
        {
          operation: 'insert_reusable_content',
          title: 'SharedSecret',
          ref: 'sharedSecret',
          document: { markdown: 'A secretword in a shared text.' },
        },
        page(
          'Start',
          'Hello.\n\n{% if visitor.claims.plan == "paid" %}\n\nA veiledword and [a file](/files/veiledFile).\n\n[More](./secret.md)\n\n{% endif %}\n\n[A file](/files/openFile) and [the plans](./secret.md).',
          { ref: 'start' },
        ),
        page('Confidential', 'A secretword with [a file](/files/secretFile).\n\n[Back](./start.md)', {
          ref: 'secret',
          condition,
        }),
        page('Below', 'The belowword.', { ref: 'below', into: 'secret' }),
        {
          operation: 'insert_link',
          title: 'Go there secretword',
          target: { kind: 'page', page: 'secret' },
          ref: 'link',
        },
        page('Plain', 'Nothing special.', { ref: 'plain' }),
      ])),
    };
    await changeContentOf(rig, space, [
      {
        operation: 'update_page',
        page: refs['below'] ?? '',
        document: { markdown: `The belowword.\n\n{% include "/reusable-content/${refs['sharedSecret']}" %}` },
      },
    ]);
    token = await issuer.visit([space]);
    member = await issuer.visit([space], paid);
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await ask.close();
    await rig.stop();
  });

  const read = (path: string, as = token) => rig.send('GET', `/spaces/${space}${path}`, { token: as });
  const status = async (path: string, as = token) => (await read(path, as)).status;
  const text = async (path: string, as = token): Promise<string> => {
    const answer = await read(path, as);
    expect(answer.status).toBe(200);
    return JSON.stringify(answer.body);
  };
  const everyRead = (revision: string) => [
    '',
    '/content',
    '/content/pages',
    '/content/files',
    `/content/page/${refs['start']}`,
    `/content/page/${refs['start']}?dereferenced=true&evaluated=deterministic-only`,
    `/content/page/${refs['start']}?format=markdown&evaluated=false`,
    '/content/path/start?dereferenced=true',
    `/content/page/${refs['start']}/links`,
    `/content/page/${refs['plain']}/backlinks`,
    `/content/page/${refs['start']}/backlinks`,
    `/content/page/${refs['start']}/meta-links`,
    `/content/files/${refs['openFile']}/backlinks`,
    `/content/files/${refs['openFile']}`,
    '/links',
    '/revisions',
    `/revisions/${revision}`,
    `/revisions/${revision}/pages`,
    `/revisions/${revision}/files`,
    `/revisions/${revision}/changes`,
    `/revisions/${revision}/page/${refs['start']}`,
    `/revisions/${revision}/page/${refs['start']}/document`,
    `/revisions/${revision}/path/start`,
    '/search?query=hello',
    '/search?query=secretword',
    '/search?query=veiledword',
    '/search?query=belowword%20hello',
    '/search?query=confidential',
  ];
  const head = async (): Promise<string> => String((await read('/content')).body['id']);

  it('shows nothing that conditions hide, in no read, to a visitor without the claim', async () => {
    for (const path of everyRead(await head()))
      expect([path, hidden.exec(await text(path))?.[0]]).toEqual([path, undefined]);
  });

  it('does not have pages, texts, files and shared texts that conditions hide', async () => {
    const { secret, below, secretFile, veiledFile, unusedFile, sharedSecret, start } = refs;
    for (const path of [
      `/content/page/${secret}`,
      `/content/page/${below}`,
      '/content/path/confidential',
      '/content/path/confidential/below',
      `/content/page/${secret}/links`,
      `/content/page/${secret}/backlinks`,
      `/content/page/${secret}/meta-links`,
      `/content/files/${secretFile}`,
      `/content/files/${veiledFile}`,
      `/content/files/${unusedFile}`,
      `/content/files/${secretFile}/backlinks`,
      `/content/reusable-contents/${sharedSecret}`,
    ])
      expect([path, await status(path)]).toEqual([path, 404]);
    const asMember = await read(`/content/page/${secret}`, member);
    const document = String(asMember.body['documentId']);
    expect(await status(`/documents/${document}`)).toBe(404);
    const shown = String((await read(`/content/page/${start}`)).body['documentId']);
    expect(await text(`/documents/${shown}`)).not.toMatch(hidden);
  });

  it('shows all of it to a visitor with the claim, without the conditions', async () => {
    const { secret, secretFile, veiledFile, sharedSecret } = refs;
    const revision = await text('/content', member);
    expect(revision).toMatch(/Confidential/);
    expect(revision).toMatch(/veiled\.txt/);
    expect(revision).toMatch(/SharedSecret/);
    expect(revision).not.toMatch(/visitor\.claims|unused\.txt/);
    expect(await text(`/content/page/${secret}`, member)).toMatch(/secretword/);
    expect(await status(`/content/files/${secretFile}`, member)).toBe(200);
    expect(await status(`/content/files/${veiledFile}`, member)).toBe(200);
    expect(await status(`/content/reusable-contents/${sharedSecret}`, member)).toBe(200);
    const titles = async (query: string) =>
      (get((await read(`/search?query=${query}`, member)).body, 'items') as { title: string }[]).map(
        ({ title }) => title,
      );
    expect((await titles('secretword')).sort()).toEqual(['Below', 'Confidential']);
    expect(await titles('veiledword')).toEqual(['Start']);
    expect(await titles('belowword')).toEqual(['Below']);
    const links = (await read(`/content/page/${secret}/backlinks`, member)).body;
    expect(links['count']).toBe(3);
  });

  it('tells a link to a hidden page as broken, and one to a page that is shown as fine', async () => {
    const statuses = async (as: string) =>
      (get((await read(`/content/page/${refs['start']}/links`, as)).body, 'items') as { status: string }[]).map(
        (link) => link.status,
      );
    expect(await statuses(token)).toEqual(['ok', 'broken']);
    expect(await statuses(member)).toEqual(['ok', 'ok', 'ok']);
  });

  it('has another entity tag for visitors who are shown something else, and the same for equal ones', async () => {
    const tag = async (as: string) => (await read('/content/pages', as)).headers.get('etag');
    expect(await tag(token)).not.toBe(await tag(member));
    expect(await tag(await issuer.visit([space], paid))).toBe(await tag(member));
  });

  it('is that of its spaces alone, as it is now, and is not changed', async () => {
    const before = await head();
    expect((await rig.send('GET', `/spaces/${other}/content`, { token })).status).toBe(404);
    expect((await rig.send('GET', `/spaces/${other}`, { token })).status).toBe(404);
    await changeContentOf(rig, space, [page('Later')]);
    expect(await status(`/revisions/${before}`)).toBe(404);
    const list = (await read('/revisions')).body;
    expect([list['count'], (get(list, 'items') as { id: string }[]).map(({ id }) => id)]).toEqual([1, [await head()]]);
    expect(await status('/content?asOf=2020-01-01T00:00:00.000Z')).toBe(403);
    for (const [method, path] of [
      ['POST', '/content'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/comments'],
      ['GET', '/permissions/users'],
    ] as const)
      expect(
        (await rig.send(method, `/spaces/${space}${path}`, { token, ...(method === 'GET' ? {} : { body: {} }) }))
          .status,
      ).toBe(403);
    expect((await rig.send('GET', `/orgs/${rig.organization}/search?query=a`, { token })).status).toBe(403);
  });

  it('is a change request alone, or a revision alone, for a preview', async () => {
    const branch = 'cr-preview';
    await ask(openBranch, { space, branch });
    const request = await issuer.visit([space], {}, { changeRequest: branch });
    const path = `/change-requests/${branch}`;
    expect(await text(`${path}/content`, request)).not.toMatch(hidden);
    expect(await text(`${path}/changes`, request)).toMatch(/"changes":\[\]/);
    expect(await text(`${path}/links`, request)).not.toMatch(hidden);
    expect(await status('/content', request)).toBe(404);
    expect(await status(`/revisions/${await head()}`, request)).toBe(404);
    expect(await status(`${path}/content`)).toBe(404);
    const first = await head();
    await changeContentOf(rig, space, [page('Latest')]);
    const revision = await issuer.visit([space], {}, { revision: first });
    expect(await text(`/revisions/${first}/pages`, revision)).not.toMatch(/Latest/);
    expect(await status('/content', revision)).toBe(404);
    expect(await status(`/revisions/${await head()}`, revision)).toBe(404);
  });

  it('leads from the navigation to spaces that are opened, and to pages that are shown', async () => {
    const targets = [
      { kind: 'space', space: other },
      { kind: 'page', page: refs['elsewhere'] ?? '', space: other },
      { kind: 'page', page: refs['secret'] ?? '', space },
    ];
    await changeContentOf(
      rig,
      space,
      targets.map((target, index) => ({ operation: 'insert_link', title: `Way ${index}`, target })),
    );
    const ways = async (as: string) => (await text('/content/pages', as)).match(/Way \d/g);
    expect(await ways(token)).toBeNull();
    expect(await ways(await issuer.visit([space, other]))).toEqual(['Way 0', 'Way 1']);
    expect(await ways(member)).toEqual(['Way 2']);
  });
});
