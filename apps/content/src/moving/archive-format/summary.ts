import type { ComputedSource } from '@scriptorium/contracts';
import { parse, stringify } from 'yaml';

/** An entry of the navigation. */
export type SummaryEntry =
  | { type: 'group'; title: string; entries: SummaryEntry[] }
  | { type: 'page'; title: string; path: string; entries: SummaryEntry[] }
  | { type: 'link'; title: string; url: string }
  | { type: 'computed'; source: ComputedSource; entries: SummaryEntry[] }
  /** A heading of pages without a file of its own. */
  | { type: 'folder'; title: string; entries: SummaryEntry[] };

const banner = '# Table of contents';

/** The navigation as `SUMMARY.md`. */
export function writeSummary(entries: readonly SummaryEntry[]): string {
  const lines = [banner, ''];
  let inGroup = false;
  for (const entry of entries) {
    if (entry.type === 'group') {
      if (lines.at(-1) !== '') lines.push('');
      lines.push(`## ${escapeText(entry.title)}`, '');
      for (const inner of entry.entries) writeEntry(lines, inner, 0);
      lines.push('');
      inGroup = true;
      continue;
    }
    // What stands behind a group and is not in it.
    if (inGroup) lines.push('***', '');
    inGroup = false;
    writeEntry(lines, entry, 0);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function writeEntry(lines: string[], entry: SummaryEntry, depth: number): void {
  const indent = '  '.repeat(depth);
  if (entry.type === 'computed') {
    const yaml = stringify(entry.source).trimEnd().split('\n');
    lines.push(`${indent}* \`\`\`yaml`, ...yaml.map((line) => `${indent}  ${line}`), `${indent}  \`\`\``);
  } else if ('path' in entry || 'url' in entry) {
    const address = 'path' in entry ? entry.path : entry.url;
    lines.push(`${indent}* [${escapeText(entry.title)}](${/[\s()<>]/.test(address) ? `<${address}>` : address})`);
  } else lines.push(`${indent}* ${escapeText(entry.title)}`);
  if ('entries' in entry) for (const inner of entry.entries) writeEntry(lines, inner, depth + 1);
}

function escapeText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\[\]*_`<>~#&]/g, '\\$&');
}

/** Pages of `SUMMARY.md` that stand within each other, at most; what is deeper stands on this level. */
const deepest = 40;

/** What has been read of a table of contents. */
interface Reading {
  top: SummaryEntry[];
  /** Where items of the first level go. */
  group: SummaryEntry[];
  /** The items that further ones can stand in, from the outermost. */
  open: { indent: number; entries: SummaryEntry[] }[];
}

/**
 * The title of a heading of a group; `undefined` for other lines. The first heading of all is the title of the list.
 */
function headingIn(line: string, isFirst: boolean): string | undefined {
  const [, marks = '', title] = /^(#+)\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
  return marks === '#' && isFirst ? undefined : title?.replace(/\s#+$/, '');
}

const rule = /^\s*(\*\s*\*\s*\*|-\s*-\s*-|_\s*_\s*_)[\s*_-]*$/;

/**
 * Reads `SUMMARY.md`: headings are groups, items of lists are pages, `***` ends a group, and so does a link that stands
 * alone. Lines of other kinds say nothing.
 */
export function readSummary(text: string): SummaryEntry[] {
  const top: SummaryEntry[] = [];
  const reading: Reading = { top, group: top, open: [] };
  const lines = withoutComments(text.replace(/^\ufeff/, '')).split(/\r?\n/);
  const banner = lines.findIndex((line) => /^#+\s+\S/.test(line));
  for (const [at, line] of lines.entries()) {
    const title = headingIn(line, at === banner && top.length === 0);
    if (title !== undefined || rule.test(line)) beginGroup(reading, plainText(title ?? ''));
    else if (line.startsWith('[')) readAlone(reading, line);
    else readItem(reading, lines, at);
  }
  return top;
}

function withoutComments(text: string): string {
  let [out, end] = ['', 0];
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', end)) {
    const close = text.indexOf('-->', at);
    if (close < 0) break;
    out += text.slice(end, at);
    end = close + '-->'.length;
  }
  return out + text.slice(end);
}

/** A chapter before or behind the numbered ones: a line that is nothing but a link. */
function readAlone(reading: Reading, line: string): void {
  const { rest } = bracketed(line);
  if (!/^\([^]*\)\s*$/.test(rest)) return;
  const entry = entryOf(line);
  if (entry === undefined) return;
  beginGroup(reading, '');
  reading.top.push(entry);
}

function beginGroup(reading: Reading, title: string): void {
  reading.group = reading.top;
  reading.open = [];
  if (title === '') return;
  reading.group = [];
  reading.top.push({ type: 'group', title, entries: reading.group });
}

function readItem(reading: Reading, lines: readonly string[], at: number): void {
  const [, space = '', item = ''] = /^(\s*)(?:[*+-]|\d{1,9}[.)])\s+(.*)$/.exec(lines[at] ?? '') ?? [];
  const entry = item.startsWith('```') ? computedAt(lines, at) : item === '' ? undefined : entryOf(item);
  if (entry === undefined) return;
  const indent = space.replaceAll('\t', '    ').length;
  reading.open = reading.open.filter((above) => above.indent < indent).slice(0, deepest);
  const siblings = reading.open.at(-1)?.entries ?? reading.group;
  siblings.push(entry);
  reading.open.push({ indent, entries: 'entries' in entry ? entry.entries : [] });
}

/** A link, whose text may have brackets in pairs, or a text alone. */
function entryOf(item: string): SummaryEntry | undefined {
  const { text, rest } = bracketed(item);
  if (text === undefined) {
    const title = plainText(item);
    return title === '' ? undefined : { type: 'folder', title, entries: [] };
  }
  const [, angled, plain] = /^\(\s*(?:<([^<>]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))/.exec(rest) ?? [];
  const address = angled ?? plain ?? '';
  const title = plainText(text);
  if (address === '') return title === '' ? undefined : { type: 'folder', title, entries: [] };
  if (/^([a-z][a-z0-9+.-]*:|\/\/|\/)/i.test(address)) return { type: 'link', title: title || address, url: address };
  return { type: 'page', title, path: address, entries: [] };
}

/** The text between the brackets that an item begins with, and what follows them. */
function bracketed(item: string): { text: string | undefined; rest: string } {
  if (!item.startsWith('[')) return { text: undefined, rest: item };
  let depth = 0;
  for (let at = 0; at < item.length; at += 1) {
    const character = item[at];
    if (character === '\\') at += 1;
    else if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    if (depth === 0) return { text: item.slice(1, at), rest: item.slice(at + 1) };
  }
  return { text: undefined, rest: item };
}

/** A text without its markup. */
function plainText(text: string): string {
  return text
    .replace(/<a\s[^<>]{0,500}><\/a>/g, '')
    .replace(/(?<!\\)(\*\*|__|`)/g, '')
    .replace(/&#x20;/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}

/** Lines that describe a computed page, at most. */
const longestFence = 200;

/** The YAML of a fence that begins in a line; `undefined` when it names nothing that pages are computed from. */
function computedAt(lines: readonly string[], at: number): SummaryEntry | undefined {
  const inside = lines.slice(at + 1, at + longestFence);
  const end = inside.findIndex((line) => /^\s*```\s*$/.test(line));
  if (end < 0) return undefined;
  try {
    const source: unknown = parse(inside.slice(0, end).join('\n'), { maxAliasCount: 0, logLevel: 'error' });
    const isSource = typeof source === 'object' && source !== null && 'type' in source;
    return isSource ? { type: 'computed', source: source as ComputedSource, entries: [] } : undefined;
  } catch {
    return undefined;
  }
}
