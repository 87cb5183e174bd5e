import { type TargetUse } from '../model/refs.js';
import { type ContentRef } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { contentOf, nameOf } from './cell-content.js';
import { refOf, type ParseContext } from './context.js';
import { lineOf } from './elements.js';
import { targetOf } from './inlines.js';

const PICTURES = new Set(['image', 'imageReference', '<img>']);
const LINKS = new Set(['link', 'linkReference', '<a>']);

/** Links that are something else in this format. */
const isButtonOrNote = ({ attributes = {} }: Md): boolean =>
  /\bbutton\b/.test(attributes['class'] ?? '') || 'data-footnote-ref' in attributes;

/** The parts of a link or an image; undefined for what is neither, or has parts that no reference holds. */
function linkIn(ctx: ParseContext, node: Md): { url: string | undefined; use: TargetUse; label: string } | undefined {
  const picture = PICTURES.has(nameOf(node));
  if (!picture && (!LINKS.has(nameOf(node)) || isButtonOrNote(node))) return undefined;
  const { attributes = {} } = node;
  const { url = attributes[picture ? 'src' : 'href'], title = attributes['title'] } = targetOf(ctx, node);
  const mention = title === 'mention' || 'data-mention' in attributes;
  if (title && !mention) return undefined;
  if (picture) return { url, use: 'image', label: lineOf([node]) };
  const { text, nodes } = contentOf(node);
  return nodes.length > 0 ? undefined : { url, use: mention ? 'mention' : 'link', label: text };
}

/**
 * What a link or an image points at, with a label that is not the URL itself as its `title`. Null when it says nothing
 * at all, undefined when it says more than that.
 */
export function referenceOf(ctx: ParseContext, node: Md): ContentRef | null | undefined {
  const link = linkIn(ctx, node);
  if (!link) return undefined;
  const { url, use, label } = link;
  const ref = refOf(ctx, url, use);
  if (!ref) return label === '' ? null : { kind: 'unresolved', title: label };
  return label === '' || label === url ? ref : { ...ref, title: label };
}
