import { append } from '../model/append.js';
import { diffComm, diff3Merge } from 'node-diff3';
import { canonical } from '../model/canonical.js';
import { leaf } from '../model/build.js';
import { type Inline, type InlineNode, type Mark, type Text } from '../model/types.js';

const SKIPPED = new Set(['key', 'meta']);
/** Texts with more words than this are compared as a whole. */
const MAX_TOKENS = 5_000;

type Token = { text: string; marks: Mark[] } | { node: Inline };
type Tokens = { ids: string[]; known: Map<string, Token> };

/** Words, spaces and other characters, each with its marks; an inline is one token. */
function tokens(nodes: readonly InlineNode[], known: Map<string, Token>): Tokens {
  const ids: string[] = [];
  const add = (id: string, token: Token): void => {
    ids.push(id);
    if (!known.has(id)) known.set(id, token);
  };
  for (const node of nodes) {
    if (node.object === 'inline') add(`\u0000${canonical(node, SKIPPED)}`, { node });
    else {
      for (const { text, marks } of node.leaves) {
        const suffix = marks.length > 0 ? `\u0000${canonical(marks)}` : '';
        for (const word of text.match(/[\p{L}\p{N}]+|\s+|[^\s\p{L}\p{N}]/gu) ?? []) add(word + suffix, { text: word, marks });
      }
    }
  }
  return { ids, known };
}

function fromTokens(ids: readonly string[], known: Map<string, Token>): InlineNode[] {
  const nodes: InlineNode[] = [];
  let marksOfLast = '';
  for (const id of ids) {
    const token = known.get(id);
    if (!token) continue;
    if ('node' in token) {
      nodes.push(token.node);
      continue;
    }
    const suffix = id.slice(token.text.length);
    const last = nodes[nodes.length - 1];
    const end = last?.object === 'text' ? last.leaves[last.leaves.length - 1] : undefined;
    if (end && marksOfLast === suffix) end.text += token.text;
    else if (last?.object === 'text') last.leaves.push(leaf(token.text, token.marks));
    else nodes.push({ object: 'text', leaves: [leaf(token.text, token.marks)] } satisfies Text);
    marksOfLast = suffix;
  }
  return nodes.length > 0 ? nodes : [{ object: 'text', leaves: [leaf('')] }];
}

/** Three-way merge of the inline nodes of one block by words; null when both sides changed the same words. */
export function mergeWords(base: readonly InlineNode[], ours: readonly InlineNode[], theirs: readonly InlineNode[]): InlineNode[] | null {
  const known = new Map<string, Token>();
  const [o, a, b] = [base, ours, theirs].map((nodes) => tokens(nodes, known).ids) as [string[], string[], string[]];
  if (Math.max(o.length, a.length, b.length) > MAX_TOKENS) return null;
  const merged: string[] = [];
  for (const region of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    if (region.conflict) return null;
    append(merged, region.ok ?? []);
  }
  return fromTokens(merged, known);
}

/** A stretch of text in a comparison. */
export type WordChange = { kind: 'same' | 'added' | 'removed'; text: string };

/** The words of two texts side by side. */
export function diffWords(before: string, after: string): WordChange[] {
  const split = (text: string): string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\s\p{L}\p{N}]/gu) ?? [];
  const [a, b] = [split(before), split(after)];
  if (a.length > MAX_TOKENS || b.length > MAX_TOKENS) return changes([before], [after]);
  return diffComm(a, b).flatMap((part) => ('common' in part && part.common ? [{ kind: 'same' as const, text: part.common.join('') }] : changes(part.buffer1 ?? [], part.buffer2 ?? [])));
}

function changes(removed: string[], added: string[]): WordChange[] {
  const out: WordChange[] = [
    { kind: 'removed', text: removed.join('') },
    { kind: 'added', text: added.join('') },
  ];
  return out.filter((change) => change.text !== '');
}
