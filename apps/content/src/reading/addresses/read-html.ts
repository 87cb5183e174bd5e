import type { UrlEmbed } from '@scriptorium/contracts';

/** What stands in the head of a page is looked for in so many characters of it. */
const looked = 64 * 1024;
const longestTitle = 300;
const longestSite = 100;

/**
 * What a page says about itself. Pages come from anywhere: every expression ends after a number of characters, so that
 * none of them takes long. `url`: where the page is.
 */
export function readHtml(html: string, url: string): UrlEmbed {
  const head = withoutHidden(html.slice(0, looked));
  const tags = [...head.matchAll(/<(?:meta|link)\s[^>]{0,2000}>/gi)].map(([tag]) => attributesOf(tag));
  const meta = (name: string): string | undefined =>
    textOf(tags.find((tag) => tag.get('property') === name || tag.get('name') === name)?.get('content'));
  const { hostname } = new URL(url);
  const title = meta('og:title') ?? textOf(/<title[^>]{0,500}>([^<]{0,2000})/i.exec(head)?.[1]);
  const icon = iconOf(tags, url);
  return {
    type: 'link',
    title: (title ?? nameOf(url)).slice(0, longestTitle),
    site: (meta('og:site_name') ?? hostname).slice(0, longestSite),
    ...(icon === undefined ? {} : { icon }),
  };
}

/** What is no text of a page: comments, and elements whose content browsers read as something else. */
const hidden = /<(?:!--|(script|style|template|noscript|svg)(?=[\s/>]))/g;

/** A page without what is hidden in it, also where that does not end. Each character is looked at once or twice. */
function withoutHidden(html: string): string {
  // Letters of other scripts may become longer.
  const lower = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const kept: string[] = [];
  let at = 0;
  hidden.lastIndex = 0;
  for (let found = hidden.exec(lower); found !== null; found = hidden.exec(lower)) {
    const [begin, element] = found;
    kept.push(html.slice(at, found.index));
    const end = element === undefined ? '-->' : `</${element}`;
    const close = lower.indexOf(end, found.index + begin.length);
    if (close < 0) return kept.join(' ');
    at = close + end.length;
    hidden.lastIndex = at;
  }
  return [...kept, html.slice(at)].join(' ');
}

/** What an address is called that is no page: by the end of its path, or its host. */
export function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '');
  if (last === undefined) return hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, plain] of tag.matchAll(
    /([\w:-]{1,50})\s{0,20}=\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/g,
  ))
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), double ?? single ?? plain ?? '');
  return attributes;
}

function iconOf(tags: readonly Map<string, string>[], url: string): string | undefined {
  const isIcon = (tag: Map<string, string>): boolean =>
    (tag.get('rel') ?? '').toLowerCase().split(/\s+/).includes('icon');
  const href = textOf(tags.find(isIcon)?.get('href'));
  if (href === undefined || !URL.canParse(href, url)) return undefined;
  const icon = new URL(href, url);
  return /^https?:$/.test(icon.protocol) && icon.href.length <= 2048 ? icon.href : undefined;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Text with its references read and without white space around it; `undefined` for none. */
function textOf(text: string | undefined): string | undefined {
  const read = text?.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return named[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  const trimmed = read?.replace(/\s+/g, ' ').trim();
  return trimmed === '' ? undefined : trimmed;
}
