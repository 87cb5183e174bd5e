import { append } from '../model/append.js';
import { type Attributes } from '../syntax/md.js';
import { decodeEntities } from './entities.js';

export type HtmlToken =
  | { kind: 'open'; name: string; attributes: Attributes; selfClosing: boolean; raw: string }
  | { kind: 'close'; name: string; raw: string }
  | { kind: 'text'; value: string };

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
const COMMENT = /<!--[^]*?(?:-->|$)|<[?!][A-Za-z][^>]*(?:>|$)/y;
/** Exports of other systems keep code in it. */
const CDATA = /<!\[CDATA\[([^]*?)(?:\]\]>|$)/y;
/** Elements whose content is no HTML, and how they end. */
const RAW_TEXT = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp'].map((name) => [name, new RegExp(`</${name}`, 'gi')]),
);

function attributesOf(source: string): Attributes {
  const attributes: Attributes = Object.create(null) as Attributes;
  for (const match of source.matchAll(ATTRIBUTE)) {
    const [, name = '', double, single, bare] = match;
    attributes[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '');
  }
  return attributes;
}

/**
 * HTML source as open tags, close tags and decoded text. Comments and declarations are left out. What is not a complete
 * tag is text, so nothing that could be read disappears.
 */
export function htmlTokens(source: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let textStart = 0;
  let at = source.indexOf('<');
  const flush = (end: number): void => {
    if (end > textStart) tokens.push({ kind: 'text', value: decodeEntities(source.slice(textStart, end)) });
  };
  while (at >= 0) {
    const next = tokenAt(source, at);
    if (!next) {
      at = source.indexOf('<', at + 1);
      continue;
    }
    flush(at);
    append(tokens, next.tokens);
    textStart = next.end;
    at = source.indexOf('<', next.end);
  }
  flush(source.length);
  return tokens;
}

function tokenAt(source: string, at: number): { tokens: HtmlToken[]; end: number } | null {
  COMMENT.lastIndex = at;
  if (COMMENT.test(source)) return { tokens: [], end: COMMENT.lastIndex };
  CDATA.lastIndex = at;
  const data = CDATA.exec(source);
  if (data) return { tokens: data[1] ? [{ kind: 'text', value: data[1] }] : [], end: CDATA.lastIndex };
  TAG.lastIndex = at;
  const match = TAG.exec(source);
  if (!match) return null;
  const [raw, slash, tagName = '', attributes = '', selfClosing] = match;
  const name = tagName.toLowerCase();
  if (slash) return { tokens: [{ kind: 'close', name, raw }], end: TAG.lastIndex };
  const open: HtmlToken = {
    kind: 'open',
    name,
    attributes: attributesOf(attributes),
    selfClosing: selfClosing === '/',
    raw,
  };
  const closing = RAW_TEXT.get(name);
  if (!closing) return { tokens: [open], end: TAG.lastIndex };
  const bodyStart = TAG.lastIndex;
  closing.lastIndex = bodyStart;
  const end = closing.exec(source)?.index ?? source.length;
  return { tokens: [open, { kind: 'text', value: source.slice(bodyStart, end) }], end };
}
