import { type Line } from './lines.js';
import { type Reading } from './split-tags.js';

/** Imports of components, which a page of any generator can begin with. */
const IMPORT = /^import\s[^\n]*?(?:\sfrom\s+)?["'][^"'\n]+["'];?\s*(?:import\s[^\n]*)?$/;
const MODULE =
  /^(?:import\s+(?:["'{*]|type\s|[\w$]+\s*(?:,|from\s))|export\s+(?:default|const|let|var|function|async|class|type|interface|enum)\b|export\s*[{*])/;
/** Lines of what is exported: one that goes on for longer is text from its first empty line on. */
const MOST_LINES = 500;
const RAW = /^<(script|style)\b/i;

/** The last lines on which scripts and styles end. */
type Ends = Map<string, number>;

/** Lines without what is code of a generator of sites: modules, and at the beginning of a line scripts and styles. */
export function withoutModules(lines: readonly Line[], reading: Reading): Line[] {
  const out: Line[] = [];
  const ends: Ends = new Map();
  let wasModule = true;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line;
    const canBegin: boolean = wasModule || lines[at - 1]?.text.trim() === '';
    const { name, end }: { name: string; end: number } = line.isCode
      ? { name: '', end: at }
      : codeAt(lines, at, ends, canBegin ? reading : undefined);
    wasModule = end > at;
    if (!wasModule) out.push(line);
    else {
      reading.leftOut.add(name);
      at = end - 1;
    }
  }
  return out;
}

/**
 * What begins on a line, and behind which line it ends: on the same one where it is no such code. `reading`: a module
 * can begin.
 */
function codeAt(
  lines: readonly Line[],
  at: number,
  ends: Ends,
  reading: Reading | undefined,
): { name: string; end: number } {
  const { text } = lines[at] as Line;
  const raw = RAW.exec(text)?.[1];
  if (raw !== undefined) return { name: raw, end: endOfRaw(lines, at, ends, raw) };
  const name = text.startsWith('import') ? 'import' : 'export';
  if (reading?.isMdx === true && MODULE.test(text)) return { name, end: endOfModule(lines, at) };
  return { name, end: reading && IMPORT.test(text) ? at + 1 : at };
}

/** Behind the line on which a script or a style ends; the same line where nothing ends it. */
function endOfRaw(lines: readonly Line[], start: number, ends: Ends, name: string): number {
  const end = `</${name.toLowerCase()}`;
  const isEnd = ({ text }: Line): boolean => text.toLowerCase().includes(end);
  if (!ends.has(end)) ends.set(end, lines.findLastIndex(isEnd));
  if (start > (ends.get(end) ?? -1)) return start;
  let at = start;
  while (!isEnd(lines[at] as Line)) at++;
  return at + 1;
}

/** Behind what is imported or exported: the line before the first empty one outside of all brackets. */
function endOfModule(lines: readonly Line[], start: number): number {
  let open = 0;
  let firstEmpty = lines.length;
  for (let at = start; at < Math.min(lines.length, start + MOST_LINES); at++) {
    const { text } = lines[at] as Line;
    if (text.trim() === '') {
      if (open <= 0) return at;
      firstEmpty = Math.min(firstEmpty, at);
    }
    for (const character of text) open += '([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0;
  }
  return open <= 0 ? Math.min(lines.length, start + MOST_LINES) : firstEmpty;
}
