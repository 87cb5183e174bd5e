import { paragraph, text } from './build.js';
import { IN_LINK, TEXT_INLINES, VOID_INLINES, type Rule } from './content.js';
import { type KeySource } from './keys.js';
import { type Inline, type InlineNode, type Node } from './types.js';

/** What holds paragraphs holds at least one, and what holds text an empty text. */
export function filled(nodes: Node[], rule: Rule, newKey: KeySource): Node[] {
  if (nodes.length > 0) return nodes;
  if (rule.inlines) return [text('')];
  return rule.blocks.has('paragraph') ? [{ ...paragraph([text('')]), key: newKey() }] : nodes;
}

/** Whether an inline may hold a child. */
export function fitsInline(parent: Inline, child: InlineNode): boolean {
  // Editors keep an empty text inside what has no text of its own.
  if (VOID_INLINES.has(parent.type)) return child.object === 'text' && child.leaves.every((leaf) => leaf.text === '');
  if (child.object === 'text' || !TEXT_INLINES.has(parent.type)) return true;
  if (parent.type === 'annotation') return false;
  return IN_LINK.has(child.type) || (!VOID_INLINES.has(child.type) && !TEXT_INLINES.has(child.type));
}
