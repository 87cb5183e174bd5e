import { TAGS } from '../model/content.js';
import { mdText, type Attributes, type Md } from '../syntax/md.js';
import { MAX_NAME } from '../syntax/tag-value-end.js';
import { decodeEntities } from './entities.js';

export type Tag = { name: string; closing: boolean; attributes: Attributes; rest: string };

const NAME = /^(@[\w.-]+\/[\w./-]+|[A-Za-z][\w-]*)/;
/** What follows the quote that ends a value, where a backslash stands before it. */
const VALUE_END = String.raw`"(?=[ \t]*$|[ \t]+[^\s"'=]{1,${MAX_NAME}}=)`;
/** A value in double quotes, in which `\"` is a quote; one that nothing ends reaches to the end. */
const DOUBLE = String.raw`"((?:[^"\\]|\\(?!")|\\(?=${VALUE_END})|\\(?!${VALUE_END})")*)(?:"|$)`;
const ATTRIBUTE = new RegExp(
  String.raw`([^\s"'=]+)\s*=\s*(?:${DOUBLE}|'([^']*)'|([^\s"']+))|${DOUBLE}|'([^']*)'|([^\s"'=]+)`,
  'g',
);

/** A tag whose end may be missing: it is complete in itself. */
const isLeaf = (name: string): boolean => TAGS.get(name)?.kind === 'leaf' || name.startsWith('@');
export const isKnownTag = (name: string): boolean => TAGS.has(name) || name.startsWith('@');

/** `name="value"` pairs; a value without a name is kept under its position (`0`, `1`, …). */
export function readAttributes(source: string): Attributes {
  const attributes: Attributes = Object.create(null) as Attributes;
  let position = 0;
  for (const [, name, double, single, bare, quoted, apostrophes, word] of source.matchAll(ATTRIBUTE)) {
    const escaped = double ?? quoted;
    const value = decodeEntities(escaped?.replaceAll('\\"', '"') ?? single ?? bare ?? apostrophes ?? word ?? '');
    attributes[name === undefined ? String(position++) : decodeEntities(name)] = value;
  }
  return attributes;
}

/** The parts of `{% … %}`; `rest` is all behind the name. */
export function parseTag(raw: string): Tag | null {
  const inside = raw.slice(2, -2).trim();
  const match = NAME.exec(inside);
  if (!match) return null;
  const [written] = match;
  const closing = /^end[a-z]/.test(written);
  const rest = inside.slice(written.length).trim();
  const name = closing ? written.slice(3) : written;
  return { name, closing, attributes: readAttributes(rest), rest };
}

const MAX_DEPTH = 100;

type Frame = Md & { children: Md[] };

const literal = (raw: string): Md => ({ type: 'paragraph', children: [mdText(raw)] });

/**
 * Siblings in which each `{% name %}` … `{% endname %}` has become a `container` node around what stood between.
 * A tag nobody knows, or one without its other half, is text again.
 */
export function nestTags(children: Md[]): Md[] {
  if (!children.some(hasTag)) return children;
  const nesting = new Nesting();
  for (const child of children) {
    if (child.type === 'tag') nesting.tag(child);
    else if (hasTag(child)) splitParagraph(child, nesting);
    else nesting.append(child);
  }
  return nesting.finish();
}

function hasTag(node: Md): boolean {
  return (
    node.type === 'tag' || (node.type === 'paragraph' && (node.children ?? []).some((child) => child.type === 'tag'))
  );
}

type Point = { offset?: number };
const between = (start: Point, end: Point): { start: number; end: number } => ({
  start: start.offset ?? 0,
  end: end.offset ?? 0,
});

class Nesting {
  private readonly stack: Frame[] = [{ type: 'root', children: [] }];

  append(node: Md): void {
    this.top().children.push(node);
  }

  isOpen(name: string): boolean {
    return this.stack.some((frame) => frame.name === name);
  }

  tag({ value: raw = '', position }: Md): void {
    const tag = parseTag(raw);
    if (!tag || !isKnownTag(tag.name)) return this.append(literal(raw));
    if (!tag.closing) {
      if (this.stack.length > MAX_DEPTH) return this.append(literal(raw));
      this.stack.push({
        type: 'container',
        name: tag.name,
        attributes: tag.attributes,
        value: tag.rest,
        raw,
        children: [],
        ...(position && { inner: between(position.end, position.end) }),
      });
      return;
    }
    if (!this.isOpen(tag.name)) return this.append(literal(raw));
    while (this.top().name !== tag.name) this.abandon();
    this.closeTop(position);
  }

  finish(): Md[] {
    while (this.stack.length > 1) this.abandon();
    return this.top().children;
  }

  private closeTop(end: Md['position']): void {
    const frame = this.stack.pop();
    if (frame?.inner && end) frame.inner.end = end.start.offset ?? frame.inner.end;
    if (frame) this.append(frame);
  }

  /** The innermost open tag has no end of its own. */
  private abandon(): void {
    const frame = this.stack.pop();
    if (!frame) return;
    const name = frame.name ?? '';
    if (TAGS.get(name)?.kind === 'part') return this.append(frame);
    const { children } = frame;
    if (isLeaf(name)) this.append({ ...frame, children: [] });
    else this.append(literal(frame.raw ?? ''));
    for (const child of children) this.append(child);
  }

  private top(): Frame {
    return this.stack[this.stack.length - 1] as Frame;
  }
}

/** A paragraph with tags inside is cut at those that open and close something; the others are text. */
function splitParagraph(paragraph: Md, nesting: Nesting): void {
  let buffer: Md[] = [];
  const flush = (): void => {
    const rest = trimEnds(buffer);
    if (rest.length > 0) nesting.append({ ...paragraph, children: rest });
    buffer = [];
  };
  const children = paragraph.children ?? [];
  const tags = children.map((child) => (child.type === 'tag' ? parseTag(child.value ?? '') : null));
  const lastEnd = new Map<string, number>();
  tags.forEach((tag, index) => tag?.closing && lastEnd.set(tag.name, index));
  children.forEach((child, index) => {
    const raw = child.value ?? '';
    const tag = tags[index];
    if (
      tag &&
      (tag.closing ? nesting.isOpen(tag.name) : isKnownTag(tag.name) && (lastEnd.get(tag.name) ?? -1) > index)
    ) {
      flush();
      nesting.tag(child);
    } else buffer.push(child.type === 'tag' ? mdText(raw) : child);
  });
  flush();
}

function trimEnds(nodes: Md[]): Md[] {
  const out = nodes.map((node) => ({ ...node }));
  const [first] = out;
  if (first?.type === 'text') first.value = (first.value ?? '').trimStart();
  const last = out[out.length - 1];
  if (last?.type === 'text') last.value = (last.value ?? '').trimEnd();
  return out.filter((node) => node.type !== 'text' || node.value !== '');
}
