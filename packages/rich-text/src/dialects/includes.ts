import { textLine, type Line } from './lines.js';

/** The text of a file that a page names by its path; `undefined` for one that is not there, or too long. */
export type IncludedText = (path: string) => string | undefined;

/** What mdBook puts the text of a file in the place of, as it is written. */
const INCLUDE =
  /(?<!\\)\{\{[ \t]*#(include|rustdoc_include|playground|playpen)[ \t]+([^\s{}]{1,1000})(?:[ \t][^{}\n]{0,1000})?\}\}/g;
/** Characters and lines that one page gets of files. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_LINES = 5000;

type Place = { path: string; part: string };

/** The file that a text names, and which part of it: all behind the first colon. */
function placeIn(named: string): Place {
  const at = named.indexOf(':');
  return at < 0 ? { path: named, part: '' } : { path: named.slice(0, at), part: named.slice(at + 1) };
}

/** The paths of the files that blocks of code show, each once. */
export function includedPaths(lines: readonly Line[]): string[] {
  const named = lines.flatMap((_, at) => aloneAt(lines, at) ?? []);
  return [...new Set(named.map(({ path }) => path))];
}

/** What a block of code names that has nothing but one include. */
function aloneAt(lines: readonly Line[], at: number): Place | undefined {
  if (lines[at - 1]?.fence !== 'start' || lines[at + 1]?.fence !== 'end') return undefined;
  const text = (lines[at]?.text ?? '').replace(/^[\s>]+/, '').trimEnd();
  const [found, ...others] = text.matchAll(INCLUDE);
  return found?.[0] === text && others.length === 0 ? placeIn(found[2] ?? '') : undefined;
}

/**
 * The lines with the text of files in blocks of code that have nothing but one include. All others stay as they are,
 * and are named in `leftOut`, each kind with its number.
 */
export function withIncludes(lines: readonly Line[], textOf: IncludedText | undefined, leftOut: Set<string>): Line[] {
  const out: Line[] = [];
  const counts = new Map<string, number>();
  const left = { characters: MOST_CHARACTERS, lines: MOST_LINES };
  lines.forEach((line, at) => {
    const place = textOf === undefined ? undefined : aloneAt(lines, at);
    const found = place === undefined ? undefined : partOf(textOf?.(place.path), place.part);
    if (found !== undefined && takes(left, found)) fill(out, line, found);
    else {
      out.push(line.fence === 'end' ? closing(out, line) : line);
      for (const name of namesIn(line)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  for (const [name, count] of counts) leftOut.add(`{{#${name}}} (${count})`);
  return out;
}

/** What a line includes, also in a block of code. A span of code in a text tells how it is written. */
function namesIn({ text, isCode }: Line): string[] {
  if (!text.includes('{{')) return [];
  const written = isCode ? text : text.replace(/`[^`]*`/g, '');
  return [...written.matchAll(INCLUDE)].map(([, name = '']) => name);
}

/** Whether there is room for more lines; it is taken. */
function takes(left: { characters: number; lines: number }, found: readonly string[]): boolean {
  const characters = found.reduce((sum, { length }) => sum + length + 1, 0);
  if (characters > left.characters || found.length > left.lines) return false;
  left.characters -= characters;
  left.lines -= found.length;
  return true;
}

const MARKS = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*)(`{3,}|~{3,})/;

/** Puts lines in the place of one between two fences. The first of these becomes longer than any in the lines. */
function fill(out: Line[], { text }: Line, found: readonly string[]): void {
  const indent = /^[\s>]*/.exec(text)?.[0] ?? '';
  const start = out.pop() ?? textLine('');
  const longest = Math.max(0, ...found.flatMap((line) => line.match(/`+|~+/g) ?? []).map(({ length }) => length));
  const longer = start.text.replace(
    MARKS,
    (_, before: string, marks: string) => before + marks.charAt(0).repeat(Math.max(marks.length, longest + 1)),
  );
  out.push({ ...start, text: longer });
  for (const line of found) out.push({ text: `${indent}${line}`, isCode: true });
}

/** The end of a block of code, as long as its beginning. */
function closing(out: readonly Line[], line: Line): Line {
  const marks = MARKS.exec(out.findLast(({ fence }) => fence === 'start')?.text ?? '')?.[2] ?? '';
  return { ...line, text: line.text.replace(MARKS, (_, before: string, own: string) => before + longerOf(own, marks)) };
}

const longerOf = (a: string, b: string): string => (b.length > a.length ? b : a);

/** The lines of a text that are meant: all, those from and to a number, or those between comments with a name. */
function partOf(text: string | undefined, part: string): string[] | undefined {
  if (text === undefined) return undefined;
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\n$/, '')
    .split(/\r?\n/);
  if (part === '') return lines;
  const [, from = '', colon = '', to = ''] = /^(\d*)(?:(:)(\d*))?$/.exec(part) ?? [];
  const isNumbered = from !== '' || colon !== '';
  const found = isNumbered ? numbered(lines, { from, to: colon === '' ? from : to }) : between(lines, part);
  return found.length === 0 ? undefined : found;
}

const numbered = (lines: string[], { from, to }: { from: string; to: string }): string[] =>
  lines.slice(Math.max(0, Number(from || '1') - 1), to === '' ? undefined : Number(to));

const ANCHOR = /\bANCHOR(_END)?:\s*([\w-]+)/;

/** What stands between the comments `ANCHOR: name` and `ANCHOR_END: name`, without any such comments. */
function between(lines: readonly string[], name: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const [comment, end, named] = ANCHOR.exec(line) ?? [];
    if (comment === undefined) {
      if (isInside) found.push(line);
    } else if (named === name) {
      if (end !== undefined && isInside) break;
      isInside = true;
    }
  }
  return found;
}
