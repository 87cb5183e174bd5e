import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const news = `{% updates format="full" %}
{% update date="2026-01-31" %}
### Faster & safer

New <things>.
{% endupdate %}
{% endupdates %}`;

describe('a site in its look and language', () => {
  let world: ReaderRig;
  let address: string;
  let path: string;
  beforeAll(async () => {
    world = await startReaderRig();
    const guide = await world.space('Guide', [
      page('Start', 'The first   paragraph of it.\n\n{% embed url="https://maps.example.org/a" %}'),
      page('News', news, { ref: 'news' }),
    ]);
    const old = await world.space('Old', [page('Start', 'The first paragraph of the old one.')]);
    await world.make('PATCH', `/spaces/${guide.id}`, { language: 'he' });
    ({ address, path } = await world.publish({ title: 'Docs', spaces: [guide.id, old.id] }));
  }, 90_000);
  afterAll(() => world.stop());

  const customize = (body: object) => world.make('PUT', `${path}/customization`, body);
  const becomes = (at: string, ...wanted: string[]): Promise<unknown> =>
    eventually(async () => {
      const { text } = await world.open(`${address}${at}`);
      return wanted.every((one) => text.includes(one));
    });

  it('tells other programs what a page is about, also where its author has not', async () => {
    const { text } = await world.open(`${address}start`);
    const about = 'content="The first paragraph of it."';
    expect(text).toContain(`<meta name="description" ${about}>`);
    expect(text).toContain(`<meta property="og:description" ${about}>`);
    expect(text).toContain(`<link rel="alternate" type="text/markdown" href="${new URL(address).pathname}start.md">`);
    const [, icon = ''] = /<link rel="icon" href="([^"]+)" type="image\/svg\+xml">/.exec(text) ?? [];
    const shown = await world.open(new URL(icon, address).href);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    await customize({ socialPreview: { url: 'https://pictures.example/a.png' } });
    await becomes('start', '<meta property="og:image" content="https://pictures.example/a.png">');
  });

  it('leads to the same page in other languages, and names these to search engines', async () => {
    const english = await world.space('English', [
      page('Start', 'A first text.'),
      page('Alone', 'Only in English.', { metaLinks: { canonical: { kind: 'url', url: 'https://a.example/b' } } }),
      page('Moved', 'A text that has moved.', { ref: 'moved' }),
    ]);
    const copy = await world.make('POST', `/spaces/${english.id}/duplicate`);
    const german = String(copy.body['id']);
    const { body } = await world.make('GET', `/spaces/${german}/content/pages`);
    const idOf = (slug: string) =>
      z
        .array(z.object({ id: z.string(), slug: z.string() }))
        .parse(body['pages'])
        .find((one) => one.slug === slug)?.id;
    await world.make('PATCH', `/spaces/${english.id}`, { language: 'en' });
    await world.make('PATCH', `/spaces/${german}`, { language: 'de', editMode: 'live', title: 'Deutsch' });
    await world.make('POST', `/spaces/${german}/content`, {
      changes: [
        { operation: 'update_page', page: idOf('moved'), slug: 'neu' },
        { operation: 'delete_page', page: idOf('alone') },
      ],
    });
    const { address: site } = await world.publish({ title: 'Languages', spaces: [english.id, german] });
    const { pathname } = new URL(site);
    const sitemap = (await world.open(`${site}sitemap.xml`)).text;
    const [other = ''] = /(?<=<loc>).*(?=neu<\/loc>)/.exec(sitemap) ?? [];
    const moved = await world.open(`${site}moved`);
    const alternates = (hrefs: Record<string, string>, end: string, name = 'link') =>
      Object.entries(hrefs).map(
        ([hreflang, href]) => `<${name} rel="alternate" hreflang="${hreflang}" href="${href}"${end}>`,
      );
    const all = { en: `${site}moved`, de: `${other}neu`, 'x-default': `${site}moved` };
    for (const text of [moved.text, (await world.open(`${other}neu`)).text])
      for (const link of alternates(all, '')) expect(text).toContain(link);
    for (const link of alternates(all, '/', 'xhtml:link')) expect(sitemap.split(link)).toHaveLength(3);
    expect(moved.text).toContain(`<a href="${new URL(`${other}neu`).pathname}" hreflang="de">`);
    const alone = await world.open(`${site}alone`);
    expect(alone.text).toContain(`<a href="${new URL(other).pathname}" hreflang="de">`);
    expect(alone.text).not.toContain('rel="alternate" hreflang');
    expect(alone.text).toContain('<link rel="canonical" href="https://a.example/b">');
    expect((await world.open(`${other}start`)).text).toContain(`<a href="${pathname}start" hreflang="en">`);
  });

  it('speaks the language of the site, and says in which its content is', async () => {
    await customize({ internationalization: { locale: 'de' } });
    await becomes('start', '<html lang="de" dir="ltr"', 'Zum Inhalt springen', '<h1 lang="he" dir="rtl">Start</h1>');
    await customize({ internationalization: { locale: 'ar' } });
    await becomes('old/start', '<html lang="ar" dir="rtl"', '<h1>Start</h1>');
    await customize({ internationalization: { locale: 'en' } });
    await becomes('start', '<html lang="en" dir="ltr"');
    const { text } = await world.open(`${world.origin}/~site/none/`, { 'accept-language': 'xx, fr-CA;q=0.8' });
    expect(text).toContain('<html lang="fr" dir="ltr">');
  });

  it('has the fonts that it names, and refuses one that nobody may pass on', async () => {
    await customize({ styling: { font: 'Lato', monospaceFont: 'FiraCode' } });
    await becomes('start', '~reader/theme-lato-firacode-');
    const { text, headers } = await world.open(`${address}start`);
    expect(headers.get('content-security-policy')).toContain("; font-src 'self';");
    const [, first = ''] =
      /<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin="anonymous">/.exec(text) ?? [];
    const font = await world.open(new URL(first, address).href);
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    const refused = await world.rig.send('PUT', `${path}/customization`, { body: { styling: { font: 'ABCFavorit' } } });
    expect([refused.status, JSON.stringify(refused.body).includes('body.styling.font')]).toEqual([400, true]);
  });

  it('embeds from the hosts that it allows alone', async () => {
    const before = await world.open(`${address}start`);
    expect(before.text).not.toContain('<iframe');
    expect(before.headers.get('content-security-policy')).not.toContain('frame-src');
    for (const host of [
      'https://maps.example.org',
      'maps.example.org/a',
      'MAPS.example.org',
      '*',
      'localhost',
      '10.0.0.1',
      "a.b 'self'",
    ]) {
      const body = { embeds: { hosts: [host] } };
      expect([host, (await world.rig.send('PUT', `${path}/customization`, { body })).status]).toEqual([host, 400]);
    }
    await customize({ embeds: { hosts: ['maps.example.org'] } });
    await becomes('start', '<iframe src="https://maps.example.org/a"');
    const { headers } = await world.open(`${address}start`);
    expect(headers.get('content-security-policy')).toContain('; frame-src https://maps.example.org;');
  });

  it('shows its themes, headers and sidebars by classes, and lets visitors choose colors on every page', async () => {
    await customize({ styling: { theme: 'bold', icons: 'solid' }, header: { preset: 'contrast' } });
    await becomes('start', 'look-bold', 'header-contrast', 'icons-solid');
    for (const at of ['start', '~search?q=first', '~tree', 'gone']) {
      const { text } = await world.open(`${address}${at}`);
      const [, action = ''] = /<form method="post" action="([^"]+)" aria-label="Theme"/.exec(text) ?? [];
      const chosen = await fetch(new URL(action.replaceAll('&#x26;', '&'), address), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: world.origin },
        body: new URLSearchParams({ theme: 'dark' }),
      });
      expect([at, chosen.status, chosen.headers.get('location')]).toEqual([
        at,
        303,
        `${new URL(address).pathname}${at}`,
      ]);
    }
  });

  it('has the news of a page as a feed, and all pages as one text', async () => {
    const { text } = await world.open(`${address}news`);
    const [, href = ''] = /<link rel="alternate" type="application\/rss\+xml"[^>]* href="([^"]+)">/.exec(text) ?? [];
    const feed = await world.open(new URL(href, address).href);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(feed.text).toContain(`<item><title>Faster &amp; safer</title><link>${address}news</link>`);
    expect(feed.text).toContain('<pubDate>Sat, 31 Jan 2026 00:00:00 GMT</pubDate>');
    expect((await world.open(`${address}start`)).text).not.toContain('rss+xml');
    for (const gone of ['nothing', '']) expect((await world.open(`${address}~feed?page=${gone}`)).status).toBe(404);
    const whole = await world.open(`${address}llms-full.txt`);
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const part of [
      '# Docs',
      '# Start',
      'The first paragraph of the old one.',
      `Source: ${address}old/start`,
      'Faster',
    ])
      expect(whole.text).toContain(part);
  });
});
