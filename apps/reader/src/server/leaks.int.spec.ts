import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationList } from '@scriptorium/contracts';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { hiddenWord, makeConditionalSite, type ConditionalSite } from '../test/conditional-site.js';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

interface Request {
  path: string;
  body?: object;
}

/** Requests of every operation that accepts content tokens: for what is shown, and for what is not. */
function requestsOf(site: ConditionalSite): Record<string, Request[]> {
  const { refs, revision, request, path, space } = site;
  const of = (place: string, ...ends: string[]): Request[] => ends.map((end) => ({ path: `${place}${end}` }));
  const { start, hidden, below, plain, linking, openFile, hiddenFile, hiddenSpecification, shared, hiddenShared } =
    refs;
  const [main, past, asked] = [
    `/spaces/${space}`,
    `/spaces/${space}/revisions/${revision}`,
    `/spaces/${space}/change-requests/${request.id}`,
  ];
  const forms = ['', '?format=markdown&evaluated=false', '?dereferenced=true&evaluated=true'];
  const pages = (at: string) =>
    [start, hidden, below, plain, request.page].flatMap((id) => forms.map((form) => `${at}/page/${String(id)}${form}`));
  const paths = (at: string) =>
    ['start', 'hushhush-page', 'hushhush-page/hushhush-below', 'formerly'].map((one) => `${at}/path/${one}`);
  const each = (at: string, ids: readonly unknown[], end = '') => ids.map((id) => `${at}/${String(id)}${end}`);
  const [files, contents, linked] = [
    [openFile, hiddenFile],
    [shared, hiddenShared],
    [start, hidden, linking, plain],
  ];
  const search = (query: string): Request => ({ path: `${path}/search`, body: { query, scope: { mode: 'all' } } });
  const computed = (part: string, props: object): Request => {
    const dependencies = { spec: { ref: { kind: 'file', file: hiddenSpecification } } };
    return {
      path: `${main}/content/computed/${part}`,
      body: { source: { type: 'builtin:openapi', props, dependencies } },
    };
  };
  const published = `${path}/published`;
  const embedded = `/embed?url=${encodeURIComponent(site.shown)}`;
  return {
    getSpaceById: of(main, ''),
    getComputedDocument: [computed('document', { doc: 'models' })],
    getComputedRevision: [computed('revision', { models: true })],
    getCurrentRevision: of(main, '/content'),
    getDocumentById: of(main, `/documents/${site.hiddenDocument}`),
    getFileById: of(main, ...each('/content/files', files)),
    getPageById: of(main, ...pages('/content')),
    getPageByPath: of(main, ...paths('/content')),
    getReusableContentById: of(main, ...each('/content/reusable-contents', contents)),
    getSpacePageMetaLinks: of(main, ...each('/content/page', linked, '/meta-links')),
    listFiles: of(main, '/content/files', '/content/files?limit=0'),
    listPages: of(main, '/content/pages'),
    getFileInRevisionById: of(past, ...each('/files', files)),
    getPageDocumentInRevisionById: of(past, ...each('/page', linked, '/document')),
    getPageInRevisionById: of(past, ...pages('')),
    getPageInRevisionByPath: of(past, ...paths('')),
    getReusableContentInRevisionById: of(past, ...each('/reusable-contents', contents)),
    getRevisionById: of(past, ''),
    getRevisionSemanticChanges: of(past, '/changes'),
    listFilesInRevisionById: of(past, '/files'),
    listPagesInRevisionById: of(past, '/pages'),
    listRevisions: of(main, '/revisions'),
    getChangeRequestSemanticChanges: of(asked, '/changes'),
    getFileInChangeRequestById: of(asked, ...each('/content/files', files)),
    getPageInChangeRequestById: of(asked, ...pages('/content')),
    getPageInChangeRequestByPath: of(asked, ...paths('/content'), '/content/path/hushhush-draft'),
    getReusableContentInChangeRequestById: of(asked, ...each('/content/reusable-contents', contents)),
    getRevisionOfChangeRequestById: of(asked, '/content'),
    listFilesInChangeRequestById: of(asked, '/content/files'),
    listPagesInChangeRequest: of(asked, '/content/pages'),
    listChangeRequestFileBacklinks: of(asked, ...each('/content/files', files, '/backlinks')),
    listChangeRequestLinks: of(asked, '/links'),
    listChangeRequestPageBacklinks: of(asked, ...each('/content/page', linked, '/backlinks')),
    listPageLinksInChangeRequest: of(asked, ...each('/content/page', linked, '/links')),
    listPageLinksInSpace: of(main, ...each('/content/page', linked, '/links')),
    listSpaceFileBacklinks: of(main, ...each('/content/files', files, '/backlinks')),
    listSpaceLinks: of(main, '/links'),
    listSpacePageBacklinks: of(main, ...each('/content/page', linked, '/backlinks')),
    searchSpaceContent: of(main, '/search?query=hushhush', '/search?query=hello'),
    getChangeRequestById: of(asked, ''),
    getSiteStructure: of(path, '/structure'),
    searchSiteContent: [search('hushhush'), search('hello'), search('secret')],
    getSiteLlmsText: of(published, '/llms.txt'),
    getSiteRobotsText: of(published, '/robots.txt'),
    getSiteSitemap: of(published, '/sitemap.xml'),
    trackSiteInsights: [
      { path: `${path}/insights/events`, body: { events: [{ type: 'page_view', space, page: hidden }] } },
    ],
    getPublishedContentSite: of(published, ''),
    getPublishedPdf: of(published, '/pdf', ...each('/pdf?page=', linked).map((end) => end.replace('=/', '='))),
    getSiteRedirectBySource: of(path, '/redirect?source=/old', '/redirect?source=/none'),
    getEmbedByUrl: of('/urls', embedded),
    getEmbedByUrlInSpace: of(main, embedded),
  };
}

describe('what conditions hide from a visitor', () => {
  let world: ReaderRig;
  let site: ConditionalSite;
  beforeAll(async () => {
    world = await startReaderRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
    site = await makeConditionalSite(world);
  }, 90_000);
  afterAll(() => world.stop());

  // What components of integrations show is made by their scripts, which no condition hides anything from.
  const opened = operationList.filter(
    ({ access, service }) => access.tokens.includes('content') && service !== 'integrations',
  );

  /** The answers of all operations: their statuses, and those that say what is hidden, as `operation path: word`. */
  const told = async (token: string): Promise<{ statuses: Set<number>; words: string[] }> => {
    const requests = requestsOf(site);
    const statuses = new Set<number>();
    const words: string[] = [];
    for (const { id, method } of opened)
      for (const { path, body } of requests[id] ?? []) {
        const answer = await world.rig.send(method, path, { token, ...(body && { body }) });
        statuses.add(answer.status);
        const [word] = hiddenWord.exec(JSON.stringify(answer.body ?? '')) ?? [];
        if (word !== undefined) words.push(`${id} ${path}: ${word}`);
      }
    return { statuses, words };
  };
  const preview = (at: string) => site.token(at, world.rig.owner.token);

  it('is asked for by every operation that accepts content tokens', () => {
    expect(Object.keys(requestsOf(site)).sort()).toEqual(opened.map(({ id }) => id).sort());
  });

  it('stands in no answer: neither for visitors, nor for previews of sites, change requests and revisions', async () => {
    const { request, revision } = site;
    for (const token of [
      await site.token('/'),
      await site.token(await site.preview({})),
      await site.token(await site.preview({}, { changeRequest: request.number })),
      await site.token(await site.preview({}, { revision })),
      await preview(`/~/changes/${request.number}/`),
      await preview(`/~/revisions/${revision}/`),
    ]) {
      const { statuses, words } = await told(token);
      expect(words).toEqual([]);
      expect([...statuses].filter((status) => status !== 404).every((status) => status < 300)).toBe(true);
    }
  }, 60_000);

  it('is shown with the claim, without the conditions', async () => {
    const { request, revision } = site;
    const expected: [string, string[]][] = [
      [
        await site.token('/?visitor.beta=true'),
        ['listPages', 'listFiles', 'getComputedDocument', 'getComputedRevision', 'getSiteStructure', 'getSiteLlmsText'],
      ],
      [
        await site.token(await site.preview({ beta: true })),
        ['getPublishedContentSite', 'searchSiteContent', 'getSiteSitemap', 'getSiteRedirectBySource'],
      ],
      [
        await preview(`/~/changes/${request.number}/?visitor.beta=true`),
        ['getPageInChangeRequestByPath', 'listChangeRequestLinks', 'getRevisionOfChangeRequestById'],
      ],
      [
        await preview(`/~/revisions/${revision}/?visitor.beta=true`),
        ['getRevisionById', 'getPageDocumentInRevisionById', 'getReusableContentInRevisionById'],
      ],
    ];
    for (const [token, operations] of expected) {
      const { words } = await told(token);
      expect(words.filter((word) => word.endsWith('visitor.claims'))).toEqual([]);
      for (const operation of operations) expect(words.join('\n')).toContain(`${operation} `);
    }
  }, 60_000);

  it('is not where an address leads: neither by a former path, nor by a redirect', async () => {
    for (const path of ['/formerly', '/old', '/formerly/hushhush-below']) {
      const { status, body } = await site.lead(path);
      expect([status, body['redirect']]).toEqual([200, undefined]);
      expect(JSON.stringify({ ...body, apiToken: '' }).replaceAll(path, '')).not.toMatch(hiddenWord);
      const led = await site.lead(`${path}?visitor.beta=true`);
      expect(JSON.stringify(led.body['redirect'])).toMatch(hiddenWord);
    }
    const { apiToken = '' } = (await site.lead('/')).body as { apiToken?: string };
    const [, payload = ''] = apiToken.split('.');
    expect(Buffer.from(payload, 'base64url').toString()).not.toContain(site.hiddenSpace);
  });

  it('stands on no page of the reader', async () => {
    const pages = [
      '',
      'start',
      'plain',
      'linking',
      'llms.txt',
      'sitemap.xml',
      'start.md',
      'formerly',
      '~search?q=hello',
    ];
    for (const at of pages) {
      const { text } = await world.open(`${site.shown}${at}`);
      expect([at, hiddenWord.exec(text)?.[0]]).toEqual([at, undefined]);
    }
    expect((await world.open(`${site.shown}?visitor.beta=true`)).text).toMatch(hiddenWord);
  });

  it('is shown by the reader in previews of change requests and revisions to those with the claim alone', async () => {
    const { request, revision } = site;
    const opened = async (claims: object, end: string, of: Record<string, string>) => {
      const { search } = await site.preview(claims, of);
      return world.open(`${site.shown}~/${end}${search}`);
    };
    for (const [end, of] of [
      [`changes/${request.number}/open-draft`, { changeRequest: request.number }],
      [`revisions/${revision}/start`, { revision }],
    ] as const) {
      const plain = await opened({}, end, of);
      expect([plain.status, hiddenWord.exec(plain.text)?.[0]]).toEqual([200, undefined]);
      const told = await opened({ beta: true }, end, of);
      expect([told.status, told.text]).toEqual([200, expect.stringMatching(hiddenWord)]);
    }
    // The main content does not have what the change request adds, and without the preview nobody is let in.
    expect((await world.open(`${site.shown}open-draft`)).status).toBe(404);
    expect((await world.open(`${site.shown}~/changes/${request.number}/open-draft`)).status).toBe(404);
  });

  it('is in no file that anybody can load, and others can be loaded as long as the site is open to everybody', async () => {
    const { openFile, hiddenFile } = site.refs;
    const addressOf = async (id: string | undefined, token: string): Promise<string> => {
      const { body } = await world.rig.send('GET', `/spaces/${site.space}/content/files/${String(id)}`, { token });
      return String(body['downloadURL']);
    };
    const open = await addressOf(openFile, await site.token('/'));
    expect(open.startsWith(`${world.origin}/published/${site.space}/`)).toBe(true);
    const loaded = await fetch(open);
    expect([loaded.status, await loaded.text(), loaded.headers.get('cache-control')]).toEqual([
      200,
      'open',
      'public, max-age=60',
    ]);
    const signed = new URL(await addressOf(hiddenFile, await site.token('/?visitor.beta=true')));
    expect((await fetch(signed)).status).toBe(200);
    const [, , , hash = '', name] = signed.pathname.split('/');
    const published = `${world.origin}/published/${site.space}/${String(hiddenFile)}/${hash.slice(0, 16)}/${String(name)}`;
    expect((await fetch(published)).status).toBe(404);
    await world.make('PATCH', site.path, { visibility: 'visitor-auth' });
    await eventually(async () => (await fetch(open)).status === 404);
    await world.make('PATCH', site.path, { visibility: 'public' });
    await eventually(async () => (await fetch(open)).status === 200);
  });
});
