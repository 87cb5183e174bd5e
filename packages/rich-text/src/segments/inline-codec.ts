import { text as textNode } from '../model/build.js';
import { canonical } from '../model/canonical.js';
import { TEXT_INLINES } from '../model/content.js';
import { type Inline, type InlineNode, type Leaf, type Mark } from '../model/types.js';
import { proseParts } from './literals.js';
import { taggedParts, taggedText, type TaggedPart } from './tagged-text.js';

/** What a tag stands for: an inline, or a text with its marks. */
type Template = { kind: 'inline'; inline: Inline } | { kind: 'leaf'; text: string; marks: Mark[] };

/** Inline nodes as a tagged text, and what its tags stand for by their ids. */
export type EncodedInlines = { text: string; templates: ReadonlyMap<number, Template> };

/** Text in these marks is code or names keys: it is never translated. */
const UNTRANSLATED: ReadonlySet<string> = new Set(['code', 'keyboard']);

/** Inline nodes as a tagged text without anything but prose and the ids of tags. */
export function encodeInlines(nodes: readonly InlineNode[]): EncodedInlines {
  const templates = new Map<number, Template>();
  const keep = (template: Template): number => {
    const id = templates.size + 1;
    templates.set(id, template);
    return id;
  };
  return { text: taggedText(nodes.flatMap((node) => partsOf(node, keep))), templates };
}

function partsOf(node: InlineNode, keep: (template: Template) => number): TaggedPart[] {
  if (node.object === 'text') return node.leaves.flatMap((leaf) => leafParts(leaf, keep));
  const id = keep({ kind: 'inline', inline: node });
  if (!TEXT_INLINES.has(node.type)) return [{ kind: 'void', id }];
  return [{ kind: 'pair', id, parts: (node.nodes ?? []).flatMap((child) => partsOf(child, keep)) }];
}

function leafParts({ text, marks }: Leaf, keep: (template: Template) => number): TaggedPart[] {
  if (text === '') return [];
  if (marks.some(({ type }) => UNTRANSLATED.has(type)))
    return [{ kind: 'void', id: keep({ kind: 'leaf', text, marks }) }];
  const pair = marks.length > 0 ? keep({ kind: 'leaf', text: '', marks }) : undefined;
  const parts = proseParts(text).map((part): TaggedPart =>
    part.literal
      ? { kind: 'void', id: keep({ kind: 'leaf', text: part.text, marks: [] }) }
      : { kind: 'text', text: part.text },
  );
  return pair === undefined ? parts : [{ kind: 'pair', id: pair, parts }];
}

/** The inline nodes of a tagged text; `undefined` when its tags are not those of the templates. */
export function decodeInlines(text: string, templates: EncodedInlines['templates']): InlineNode[] | undefined {
  const parts = taggedParts(text);
  if (parts === undefined) return undefined;
  const out: InlineNode[] = [];
  if (!build(parts, { templates, marks: [] }, out)) return undefined;
  return out.length > 0 ? out : [textNode('')];
}

type BuildContext = { templates: EncodedInlines['templates']; marks: Mark[] };

function build(parts: readonly TaggedPart[], context: BuildContext, out: InlineNode[]): boolean {
  return parts.every((part) => {
    if (part.kind === 'text') return addLeaf(out, part.text, context.marks);
    const template = context.templates.get(part.id);
    if (template === undefined) return false;
    if (template.kind === 'inline') return addInline(template.inline, part, context, out);
    const marks = [...context.marks, ...template.marks];
    return part.kind === 'void' ? addLeaf(out, template.text, marks) : build(part.parts, { ...context, marks }, out);
  });
}

function addInline(inline: Inline, part: TaggedPart, context: BuildContext, out: InlineNode[]): boolean {
  if (part.kind !== 'pair') return out.push(inline) > 0;
  const nodes: InlineNode[] = [];
  if (!build(part.parts, { ...context, marks: [] }, nodes)) return false;
  return out.push({ ...inline, nodes: nodes.length > 0 ? nodes : [textNode('')] }) > 0;
}

function addLeaf(out: InlineNode[], text: string, marks: Mark[]): boolean {
  const last = out[out.length - 1];
  if (last?.object !== 'text') return out.push(textNode(text, marks)) > 0;
  const end = last.leaves[last.leaves.length - 1];
  if (end && canonical(end.marks) === canonical(marks)) end.text += text;
  else last.leaves.push({ object: 'leaf', text, marks });
  return true;
}
