import { TreeError } from './error.js';
import {
  overlaid,
  type Child,
  countOf,
  EMPTY_ROOT,
  type Entry,
  isLeaf,
  levelOf,
  type Part,
  type Parts,
} from './part.js';

/** Which keys are meant. What is absent does not bound; keys are compared by their UTF-16 code units. */
export interface Bounds {
  /** The first key that can be in it. */
  readonly from?: string;
  /** The first key behind it. */
  readonly to?: string;
  /** What all its keys begin with. */
  readonly prefix?: string;
}

/** From a key up to another, without that one. */
export interface Range {
  readonly from: string;
  readonly to: string | undefined;
}

/** The range that satisfies all bounds. */
export function rangeOf({ from = '', to, prefix = '' }: Bounds): Range {
  const behind = behindPrefix(prefix);
  return { from: from > prefix ? from : prefix, to: least(to, behind) };
}

export const isIn = (key: string, { from, to }: Range): boolean => key >= from && (to === undefined || key < to);

const least = (left: string | undefined, right: string | undefined): string | undefined =>
  left === undefined || (right !== undefined && right < left) ? right : left;

/** The least key that is greater than all keys with the prefix; none if there is no greater key. */
function behindPrefix(prefix: string): string | undefined {
  let end = prefix.length;
  while (end > 0 && prefix.charCodeAt(end - 1) === 0xffff) end--;
  if (end === 0) return undefined;
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}

/** A part and the keys it stands for: from `first` up to `end`, without `end` (`undefined`: no end). */
export interface Span {
  readonly first: string;
  readonly end: string | undefined;
  readonly name: string;
  /** Entries below. */
  readonly count: number;
  /** Whether the part begins at an anchor of its level. */
  readonly anchor: boolean;
  readonly level: number;
}

/** Parts by name, in order. Throws `TreeError` (`part_missing`) for one that is not there. */
export async function readParts(parts: Parts, names: readonly string[]): Promise<Part[]> {
  if (names.length === 0) return [];
  const found = await parts.get(names);
  return names.map((name) => {
    const part = found.get(name);
    if (part === undefined) throw new TreeError('part_missing', `There is no part ${name}`, { part: name });
    return part;
  });
}

/** The whole tree as one span, and its part. */
export interface Root {
  readonly span: Span;
  readonly part: Part;
  /** The parts, of which the root need not be read again. */
  readonly parts: Parts;
}

/** Reads the root; there is nothing to read of the empty tree. */
export async function readRoot(parts: Parts, root: string): Promise<Root | undefined> {
  if (root === EMPTY_ROOT) return undefined;
  const [part] = await readParts(parts, [root]);
  if (part === undefined) return undefined;
  const span = { first: '', end: undefined, name: root, count: countOf(part), anchor: true, level: levelOf(part) };
  return { span, part, parts: overlaid(parts, new Map([[root, part]])) };
}

/** The spans of the children of a part, which must be of the level that its parent says. */
export function childSpans(span: Span, part: Part): Span[] {
  checkLevel(span, part);
  if (isLeaf(part)) throw new TreeError('part_invalid', `Part ${span.name} has no children`, { part: span.name });
  return part.children.map(([first, name, count, cut]: Child, at) => ({
    first,
    end: part.children[at + 1]?.[0] ?? span.end,
    name,
    count,
    anchor: cut === undefined,
    level: span.level - 1,
  }));
}

/** The entries of a leaf. */
export function entriesOf(span: Span, part: Part): readonly Entry[] {
  checkLevel(span, part);
  if (isLeaf(part)) return part.entries;
  throw new TreeError('part_invalid', `Part ${span.name} is no leaf`, { part: span.name });
}

/** What a part of any level consists of. */
export function itemsOf(span: Span, part: Part): readonly Entry[] | readonly Child[] {
  checkLevel(span, part);
  return isLeaf(part) ? part.entries : part.children;
}

/** So that a wrong part can lead neither in a circle nor to wrong answers without a word. */
function checkLevel({ name, level }: Span, part: Part): void {
  if (levelOf(part) === level) return;
  throw new TreeError('part_invalid', `Part ${name} is of level ${levelOf(part)}, not ${level}`, { part: name });
}

/** Puts the children of the spans that `opens` names in their places. Reads all of them in one batch. */
export async function openSpans(parts: Parts, spans: readonly Span[], opens: (span: Span) => boolean): Promise<Span[]> {
  const opened = spans.map((span) => span.level > 0 && opens(span));
  const read = await readParts(
    parts,
    spans.filter((_, at) => opened[at]).map(({ name }) => name),
  );
  let next = 0;
  return spans.flatMap((span, at) => {
    const part = opened[at] ? read[next++] : undefined;
    return part === undefined ? [span] : childSpans(span, part);
  });
}

/** Whether keys of a span can be in a range. */
export const meets = ({ first, end }: Span, range: Range): boolean =>
  (range.to === undefined || first < range.to) && (end === undefined || end > range.from);

/** Whether all keys of a span are in a range. */
export const within = ({ first, end }: Span, range: Range): boolean =>
  first >= range.from && (range.to === undefined || (end !== undefined && end <= range.to));

/** A span and those of the wanted keys, in order, that fall into it. */
export interface Search {
  readonly span: Span;
  readonly keys: readonly string[];
}

/** The spans that keys fall into, with these keys; both are in order. */
export function distribute(spans: readonly Span[], keys: readonly string[]): Search[] {
  let next = 0;
  return spans.flatMap((span) => {
    while (next < keys.length && (keys[next] ?? '') < span.first) next++;
    const start = next;
    while (next < keys.length && (span.end === undefined || (keys[next] ?? '') < span.end)) next++;
    return next === start ? [] : [{ span, keys: keys.slice(start, next) }];
  });
}
