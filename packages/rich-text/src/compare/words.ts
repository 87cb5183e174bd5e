import { diffComm, diff3Merge } from 'node-diff3';
import { append } from '../model/append.js';
import { APART, canonical } from '../model/canonical.js';
import { leaf } from '../model/build.js';
import { isObject } from '../model/json.js';
import { type Fragment, type Inline, type InlineNode, type Mark, type Text } from '../model/types.js';
import { mergeJson } from './json-merge.js';
import { withMarks, type Token } from './marks.js';
import { afford, sharedEnds, type Work } from './work.js';

/**
 * What one author changes as a whole: everything between spaces, so that no half of a number, a version or a name is
 * joined with another half. Scripts that are written without spaces go by character.
 */
const SPACELESS =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3000-\\u303f\\uff00-\\uffef]';
const WHOLE_WORDS = new RegExp(`\\s+|${SPACELESS}\\p{M}*|(?:(?!${SPACELESS})\\S)+`, 'gu');

type Tokens = { ids: string[]; known: Map<string, Token> };

/** Words and spaces, each with its marks; an inline is one token. */
function tokens(nodes: readonly InlineNode[], known: Map<string, Token>): Tokens {
  const ids: string[] = [];
  const add = (id: string, token: Token): void => {
    ids.push(id);
    if (!known.has(id)) known.set(id, token);
  };
  for (const node of nodes) {
    if (node.object === 'inline') add(`\u0000${canonical(node, APART)}`, { node });
    else
      for (const { text, marks } of node.leaves)
        for (const word of text.match(WHOLE_WORDS) ?? []) add(wordId(word, marks), { text: word, marks });
  }
  return { ids, known };
}

const wordId = (text: string, marks: Mark[]): string => (marks.length > 0 ? `${text}\u0000${canonical(marks)}` : text);

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
export function mergeWords(
  base: readonly InlineNode[],
  ours: readonly InlineNode[],
  theirs: readonly InlineNode[],
  work: Work,
): InlineNode[] | null {
  const known = new Map<string, Token>();
  const [o, a, b] = [base, ours, theirs].map((nodes) => tokens(nodes, known).ids) as [string[], string[], string[]];
  const { start, end } = sharedEnds(o, a, b);
  const inner = (list: string[]): string[] => list.slice(start, list.length - end);
  if (!afford(work, inner(o), inner(a)) || !afford(work, inner(o), inner(b))) return null;
  const merged = o.slice(0, start);
  for (const region of diff3Merge(inner(a), inner(o), inner(b), { excludeFalseConflicts: true })) {
    const ids = region.conflict
      ? mergeInline([region.conflict.o, region.conflict.a, region.conflict.b], known, work)
      : region.ok;
    if (!ids) return mergeMarks([o, a, b], known, work);
    append(merged, ids);
  }
  append(merged, o.slice(o.length - end));
  return fromTokens(merged, known);
}

/** One link, one annotation and the like that both sides changed, merged by its data and its words. */
function mergeInline(sides: [string[], string[], string[]], known: Map<string, Token>, work: Work): string[] | null {
  const [was, mine, other] = sides.map((ids) => inlineOf(ids, known));
  if (!was || !mine || !other || was.type !== mine.type || was.type !== other.type) return null;
  const data = mergeJson(was.data, mine.data, other.data);
  const nodes = mergeWords(was.nodes ?? [], mine.nodes ?? [], other.nodes ?? [], work);
  const fragments = mergeJson(was.fragments, mine.fragments, other.fragments);
  if (data.conflict || fragments.conflict || !nodes || !isObject(data.value)) return null;
  const { fragments: _fragments, ...rest } = mine;
  const node: Inline = {
    ...rest,
    data: data.value,
    ...(mine.nodes && { nodes }),
    ...(fragments.value !== undefined && { fragments: fragments.value as Fragment[] }),
  };
  return tokens([node], known).ids;
}

function inlineOf(ids: readonly string[], known: ReadonlyMap<string, Token>): Inline | undefined {
  const token = ids.length === 1 ? known.get(ids[0] ?? '') : undefined;
  return token && 'node' in token ? token.node : undefined;
}

/** Words of one side and marks of the other. */
function mergeMarks(sides: [string[], string[], string[]], known: Map<string, Token>, work: Work): InlineNode[] | null {
  const [o, a, b] = sides.map((ids) => ids.flatMap((id) => known.get(id) ?? [])) as [Token[], Token[], Token[]];
  const merged = withMarks(o, a, b, work) ?? withMarks(o, b, a, work);
  if (!merged) return null;
  const { ids } = tokens(
    merged.map((token) => ('node' in token ? token.node : { object: 'text', leaves: [leaf(token.text, token.marks)] })),
    known,
  );
  return fromTokens(ids, known);
}

/** A stretch of text in a comparison. */
export type WordChange = { kind: 'same' | 'added' | 'removed'; text: string };

/** The words of two texts side by side. */
export function diffWords(before: string, after: string, work: Work): WordChange[] {
  const split = (text: string): string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\s\p{L}\p{N}]/gu) ?? [];
  const [a, b] = [split(before), split(after)];
  const { start, end } = sharedEnds(a, b);
  const [innerA, innerB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const out: WordChange[] = [];
  const add = (kind: WordChange['kind'], words: readonly string[] = []): void => {
    const last = out[out.length - 1];
    if (last?.kind === kind) last.text += words.join('');
    else if (words.length > 0) out.push({ kind, text: words.join('') });
  };
  add('same', a.slice(0, start));
  for (const part of afford(work, innerA, innerB) ? diffComm(innerA, innerB) : [{ buffer1: innerA, buffer2: innerB }]) {
    if ('common' in part) add('same', part.common);
    add('removed', part.buffer1);
    add('added', part.buffer2);
  }
  add('same', a.slice(a.length - end));
  return out;
}
