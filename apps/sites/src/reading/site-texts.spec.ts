import { describe, expect, it } from '@jest/globals';
import { llmsText, robotsText, sitemap } from './site-texts.js';

const page = { title: 'A [b]\nc', url: 'https://a.example/x?a=1&b=2', updatedAt: '2026-01-02T03:04:05.006Z' };

describe('the texts of a site', () => {
  it('list pages for language models, space by space, each on one line', () => {
    const groups = [
      { title: 'Guides', pages: [page, { ...page, title: 'D', description: 'What\nit is' }] },
      { title: 'Empty', pages: [] },
    ];
    expect(llmsText('Docs', groups)).toBe(
      `# Docs\n\n## Guides\n\n- [A \\[b\\] c](${page.url}.md)\n- [D](${page.url}.md): What it is\n`,
    );
  });

  it('list pages for search engines, where nothing is markup that is not', () => {
    expect(sitemap([page])).toContain('<loc>https://a.example/x?a=1&amp;b=2</loc>');
    expect(sitemap([{ ...page, url: '<x>' }])).not.toContain('<x>');
  });

  it('name the languages of a page, as long as search engines read them all', () => {
    const languages = ['en', 'de'].map((hreflang) => ({ hreflang, url: `https://a.example/${hreflang}?a&b` }));
    const entry = '<xhtml:link rel="alternate" hreflang="de" href="https://a.example/de?a&amp;b"/>';
    expect(sitemap([{ ...page, languages }])).toContain(entry);
    const many = sitemap(Array.from({ length: 40_000 }, () => ({ ...page, languages: [...languages, ...languages] })));
    expect(many.match(/<url>/g)).toHaveLength(40_000);
    expect(many.match(/hreflang="de"/g)).toHaveLength(75_000);
  });

  it('let search engines in only where there is an address for them', () => {
    expect(robotsText('https://a.example/')).toContain('Sitemap: https://a.example/sitemap.xml');
    expect(robotsText(undefined)).toBe('User-agent: *\nDisallow: /\n');
  });
});
