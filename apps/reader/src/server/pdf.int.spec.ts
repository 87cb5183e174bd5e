import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, ref: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  ref,
  document: { markdown: `Text of ${title}.` },
  ...more,
});

describe('PDFs of a site', () => {
  let world: ReaderRig;
  let address: string;
  let path: string;
  let refs: Record<string, string>;
  beforeAll(async () => {
    world = await startReaderRig();
    const made = await world.space('Guide', [
      page('Alone', 'alone'),
      page('Install', 'install'),
      page('On Linux', 'linux', { into: 'install' }),
      page('Secret', 'secret', { condition: 'visitor.claims.member' }),
    ]);
    refs = made.refs;
    ({ address, path } = await world.publish({ title: 'Docs', spaces: [made.id] }));
  }, 90_000);
  afterAll(() => world.stop());

  /** The links to PDFs of a page: what they say, and where they lead. */
  const linksOf = async (at: string) => {
    const { text } = await world.open(`${address}${at}`);
    const found = text.matchAll(/<a href="([^"]*~pdf\?[^"]*)" rel="nofollow">([^<]*)<\/a>/g);
    return [...found].map(([, href = '', says = '']) => ({ says, href: href.replaceAll('&#x26;', '&') }));
  };
  const nameAt = async (href: string) => {
    const { status, headers } = await world.open(new URL(href, address).href);
    const to = headers.get('location') ?? '';
    const pdf = await fetch(to);
    const start = Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 4);
    return [status, start, decodeURIComponent(new URL(to).pathname.split('/').at(-1) ?? '')];
  };

  it('are led to by each page: its own, and that of the section it is in', async () => {
    expect((await linksOf('alone')).map(({ says }) => says)).toEqual(['PDF of this page']);
    for (const at of ['install', 'install/on-linux']) {
      const [own, section, ...others] = await linksOf(at);
      expect([own?.says, section?.says, others]).toEqual(['PDF of this page', 'PDF of this section', []]);
      const title = at === 'install' ? 'Install' : 'On Linux';
      expect(await nameAt(own?.href ?? '')).toEqual([302, '%PDF', `${title}.pdf`]);
      expect(await nameAt(section?.href ?? '')).toEqual([302, '%PDF', 'Install.pdf']);
    }
  });

  it('are none of pages that the visitor is not shown, and of those that are not there', async () => {
    const statusOf = async (query: string) => (await world.open(`${address}~pdf${query}`)).status;
    for (const query of ['', '?page=none', `?page=${refs['secret'] ?? ''}`, '?page=__proto__'])
      expect([query, await statusOf(query)]).toEqual([query, 404]);
    expect((await world.open(`${address}alone/~pdf?page=${refs['alone'] ?? ''}`)).status).toBe(404);
  });

  it('are not offered where the site does not offer them', async () => {
    await world.make('PUT', `${path}/customization`, { pdf: { enabled: false } });
    await eventually(async () => (await linksOf('install')).length === 0);
    await eventually(
      async () => (await world.open(`${address}~pdf?page=${refs['install'] ?? ''}&only=true`)).status === 404,
    );
  });
});
