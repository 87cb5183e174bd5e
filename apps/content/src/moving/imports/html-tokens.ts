/** A tag of HTML, or the text before the next one. */
export type HtmlToken =
  { text: string } | { name: string; isEnd: boolean; source: string; attribute: (name: string) => string };

/** Values of attributes have no `<`, so that a text of any kind is read in time that grows with its length. */
const tag = /<(\/?)([a-z][a-z0-9-]*)(?![a-z0-9-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/gi;

/** The tags and texts of HTML that a program has written. Comments, `script` and `style` are left out. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const text = withoutComments(html);
  let at = 0;
  let hidden: string | undefined;
  for (const match of text.matchAll(tag)) {
    const [source, slash, given = '', attributes = ''] = match;
    const name = given.toLowerCase();
    const before = text.slice(at, match.index);
    if (hidden === undefined && before !== '') yield { text: before };
    at = match.index + source.length;
    if (hidden === undefined && slash === '' && /^(script|style)$/.test(name)) hidden = name;
    else if (hidden === undefined)
      yield { name, isEnd: slash !== '', source, attribute: (one) => valueIn(attributes, one) };
    else if (slash !== '' && name === hidden) hidden = undefined;
  }
  if (hidden === undefined && at < text.length) yield { text: text.slice(at) };
}

function withoutComments(html: string): string {
  const [first = '', ...others] = html.split('<!--');
  return [first, ...others.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''))].join('');
}

/** The value of an attribute, as it is written; empty for none. */
function valueIn(attributes: string, name: string): string {
  for (const [, key = '', double, single] of attributes.matchAll(
    /(?<![^\s"'=])([^\s"'=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (key.toLowerCase() === name) return double ?? single ?? '';
  return '';
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A text of HTML as it is shown. */
export function shownText(html: string): string {
  return html
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (all, decimal?: string, hex?: string, name = '') => {
      if (decimal === undefined && hex === undefined) return named[name as string] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
