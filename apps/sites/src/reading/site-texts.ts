/** A page of a site, with its address. */
export interface TextPage {
  title: string;
  url: string;
  description?: string | undefined;
  updatedAt: string;
  /** The page in each language in which it is offered, also its own. */
  languages?: readonly { hreflang: string; url: string }[];
}

/** Pages that stand together: those of a space. */
export interface TextGroup {
  title: string;
  pages: readonly TextPage[];
}

/** Entries that a sitemap can have. */
const mostEntries = 50_000;
/** Addresses in other languages in a sitemap: with more of them it could be larger than search engines read. */
const mostInLanguages = 150_000;

/** The pages of a site for language models, as links to their markdown. Pure. */
export function llmsText(title: string, groups: readonly TextGroup[]): string {
  const parts = groups
    .filter(({ pages }) => pages.length > 0)
    .map((group) => `## ${oneLine(group.title)}\n\n${group.pages.map(entryOf).join('\n')}\n`);
  return [`# ${oneLine(title)}\n`, ...parts].join('\n');
}

function entryOf({ title, url, description = '' }: TextPage): string {
  const text = oneLine(title).replace(/[[\]\\]/g, '\\$&');
  return `- [${text}](${url}.md)${description === '' ? '' : `: ${oneLine(description)}`}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The pages of a site for search engines. Pure. */
export function sitemap(pages: readonly TextPage[]): string {
  let left = mostInLanguages;
  const entries = pages.slice(0, mostEntries).map(({ url, updatedAt, languages = [] }) => {
    left -= languages.length;
    const others = left < 0 ? [] : languages.map(inLanguage);
    return `  <url>\n    <loc>${escapeXML(url)}</loc>\n    <lastmod>${escapeXML(updatedAt)}</lastmod>\n${others.join('')}  </url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespaces}>\n${entries.join('')}</urlset>\n`;
}

const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';

function inLanguage({ hreflang, url }: { hreflang: string; url: string }): string {
  return `    <xhtml:link rel="alternate" hreflang="${escapeXML(hreflang)}" href="${escapeXML(url)}"/>\n`;
}

function escapeXML(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}

/** What a site says to search engines. `address`: of a site that may be listed. Pure. */
export function robotsText(address: string | undefined): string {
  if (address === undefined) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nAllow: /\n\nSitemap: ${address}sitemap.xml\n`;
}
