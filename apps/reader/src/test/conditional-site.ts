import { get, type Answer } from '@scriptorium/testing';
import type { ReaderRig } from './reader-rig.js';

/** A site of which visitors without the claim `beta` must not find anything that has the word `hushhush`. */
export interface ConditionalSite {
  /** Path of the site in the API. */
  path: string;
  id: string;
  /** Where the reader shows it. */
  shown: string;
  space: string;
  /** Another space on it that is hidden. */
  hiddenSpace: string;
  refs: Record<string, string>;
  revision: string;
  /** A change request with hidden pages of its own. */
  request: { id: string; number: string; page: string };
  /** Names of documents and texts that a visitor without the claim may not have. */
  hiddenDocument: string;
  /** What an address of the site leads to; `path` behind that of the site. */
  lead(path: string | URL, token?: string | null): Promise<Answer>;
  /** The content token of `lead`. */
  token(path: string | URL, token?: string | null): Promise<string>;
  /**
   * The address of a preview of the site, or of a change request or revision, as a visitor with these claims sees it.
   */
  preview(claims: object, of?: Record<string, string>): Promise<URL>;
}

export const hiddenWord = /hushhush|visitor\.claims/i;
const condition = 'visitor.claims.unsigned.beta';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

const specification = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Hushhush', version: '1' },
  paths: { '/hushhush': { get: { tags: ['Hushhush'], summary: 'Hushhush' } } },
  components: { schemas: { Hushhush: { properties: { id: { type: 'string' } } } } },
});

const contents = [
  {
    operation: 'insert_files',
    files: [
      { name: 'open.txt', base64: base64('open'), contentType: 'text/plain', ref: 'openFile' },
      { name: 'hushhush.txt', base64: base64('secret'), contentType: 'text/plain', ref: 'hiddenFile' },
      { name: 'api.json', base64: base64(specification), contentType: 'application/json', ref: 'hiddenSpecification' },
    ],
  },
  { operation: 'insert_reusable_content', title: 'Shared', ref: 'shared', document: { markdown: 'A shared text.' } },
  {
    operation: 'insert_reusable_content',
    title: 'Hushhush shared',
    ref: 'hiddenShared',
    document: { markdown: 'A hushhush text.' },
  },
  page(
    'Start',
    [
      'Hello. [A file](/files/openFile), [the other one](./hushhush-page.md).',
      `{% if ${condition} %}`,
      'A hushhush part with [a file](/files/hiddenFile).',
      '{% endif %}',
    ].join('\n\n'),
    { ref: 'start' },
  ),
  page(
    'Formerly',
    'All hushhush of it. [Back](./start.md) [A file](/files/hiddenFile) [An API](/files/hiddenSpecification)',
    {
      ref: 'hidden',
      condition,
      description: 'Hushhush, in a few words.',
    },
  ),
  page('Hushhush below', 'Also hushhush.', { ref: 'below', into: 'hidden' }),
  { operation: 'insert_link', title: 'To hushhush', target: { kind: 'page', page: 'hidden' }, ref: 'link' },
];

const jsonSchema = {
  type: 'object',
  properties: { unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } } },
};

/** Makes the site, with everything that a condition can hide. */
export async function makeConditionalSite(world: ReaderRig): Promise<ConditionalSite> {
  const { rig } = world;
  const make: ReaderRig['make'] = (...sent) => world.make(...sent);
  const space: ReaderRig['space'] = (...made) => world.space(...made);
  const { id: main, refs } = await space('Guide', contents);
  const change = (of: string, changes: object[]) => make('POST', `${of}/content`, { changes });
  const includes = (shared = '') => `{% include "/reusable-content/${shared}" %}`;
  const { hidden, below, shared, hiddenShared } = refs;
  await change(`/spaces/${main}`, [
    { operation: 'update_page', page: hidden, title: 'Hushhush page', slug: 'hushhush-page' },
    { operation: 'update_page', page: below, document: { markdown: `Hushhush.\n\n${includes(hiddenShared)}` } },
    page('Plain', includes(shared), { ref: 'plain' }),
    page('Linking', `[There](./start.md)`, { ref: 'linking' }),
  ]);
  const hiddenSpace = (await space('Hushhush space', [page('Deep', 'Hushhush.')])).id;
  const inSection = (await space('Hushhush sectioned', [page('Deeper', 'Hushhush.')])).id;
  const { id, path, address: shown } = await world.publish({ title: 'Docs', spaces: [main, hiddenSpace] });
  await make('PATCH', path, { adaptiveContent: { enabled: true } });
  await make('PUT', `${path}/adaptive-schema`, { jsonSchema });
  const siteSpaces = (await make('GET', `${path}/site-spaces`)).body.items;
  const hiddenSiteSpace = siteSpaces.find((one) => get(one, 'space.id') === hiddenSpace);
  await make('PATCH', `${path}/site-spaces/${String(hiddenSiteSpace?.['id'])}`, { condition });
  const section = await make('POST', `${path}/sections`, { spaceId: inSection, title: 'Hushhush section' });
  await make('PATCH', `${path}/sections/${String(section.body['id'])}`, { condition });
  await make('PUT', `${path}/customization`, {
    header: {
      links: [
        { title: 'Hushhush link', to: { kind: 'url', url: 'https://hushhush.example/' }, condition },
        { title: 'Open link', to: { kind: 'url', url: 'https://open.example/' } },
      ],
    },
  });
  await make('POST', `${path}/redirects`, { source: '/old', destination: { kind: 'page', page: hidden, space: main } });
  await make('POST', `${path}/share-links`, { name: 'Hushhush link' });

  const begun = await make('POST', `/spaces/${main}/change-requests`, { subject: 'Next' });
  const requestId = String(begun.body['id']);
  const request = `/spaces/${main}/change-requests/${requestId}`;
  const changed = await change(request, [
    page('Hushhush draft', 'Hushhush.', { ref: 'draft', condition }),
    page('Open draft', 'For all.', { ref: 'open' }),
  ]);
  const { origin } = new URL(String(get((await make('GET', path)).body, 'urls.app')));
  const api = `${origin}/~site/${id}`;
  const lead: ConditionalSite['lead'] = (at, token = null) =>
    rig.send('POST', '/urls/published', { token, body: { url: typeof at === 'string' ? `${api}${at}` : at.href } });
  const document = await make('GET', `/spaces/${main}/content/page/${hidden}`);
  const tokenOf = ({ status, body }: Answer): string => {
    if (status !== 200 || typeof body['apiToken'] !== 'string')
      throw new Error(`An address answered ${status} ${JSON.stringify(body)}`);
    return body['apiToken'];
  };
  return {
    path,
    id,
    shown,
    space: main,
    hiddenSpace,
    refs: { ...refs, ...(changed.body['refs'] as Record<string, string>) },
    revision: String((await make('GET', `/spaces/${main}/content`)).body['id']),
    request: {
      id: requestId,
      number: String(begun.body['number']),
      page: String(get(changed.body, 'refs.draft')),
    },
    hiddenDocument: String(document.body['documentId']),
    lead,
    token: async (...asked) => tokenOf(await lead(...asked)),
    async preview(claims, of = {}) {
      const query = new URLSearchParams({
        siteSpace: String(siteSpaces[0]?.['id']),
        claims: JSON.stringify({ unsigned: claims }),
        ...of,
      });
      return new URL(String((await make('GET', `${path}/publishing/preview?${query.toString()}`)).body['url']));
    },
  };
}
