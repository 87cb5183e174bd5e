import { describe, expect, it } from '@jest/globals';
import {
  hash,
  markedBlocks,
  merge,
  parseMarkdown,
  validate,
  withConflicts,
  withMarkersOf,
  withoutConflicts,
} from '../index.js';

const base = parseMarkdown('One.\n\n{% hint style="info" %}\nTwo.\n{% endhint %}\n\nThree.').document;
const edit = (text: string) => parseMarkdown(text, { previous: base }).document;
const ours = edit('One: ours.\n\n{% hint style="info" %}\nTwo: ours.\n{% endhint %}\n\nThree.');
const theirs = edit('One: theirs.\n\n{% hint style="info" %}\nTwo: theirs.\n{% endhint %}\n\nThree.');
const named = (id: string, result = merge(base, ours, theirs)) =>
  withConflicts(
    result.document,
    result.conflicts.map((conflict) => ({ id, conflict })),
  );

describe('markers of conflicts', () => {
  it('stand at the blocks that both sides changed, at any depth, with the other version', () => {
    const { document, marked } = named('c');
    expect([...markedBlocks(document)]).toEqual([['c', [...marked.keys()]]]);
    expect(marked.size).toBe(2);
    const [first, hint] = document.nodes;
    expect(first?.meta).toMatchObject({ conflict: { id: 'c', kind: 'edit' } });
    expect(JSON.stringify(first?.meta)).toContain('One: theirs.');
    expect(JSON.stringify(hint?.nodes?.[0])).toContain('Two: theirs.');
    // They are no part of the content.
    expect(hash(document)).toBe(hash(merge(base, ours, theirs).document));
    expect(validate(JSON.parse(JSON.stringify(document)))).toEqual(document);
  });

  it('name a block that one side deleted', () => {
    const deleted = edit('{% hint style="info" %}\nTwo.\n{% endhint %}\n\nThree.');
    const byOurs = named('c', merge(base, deleted, theirs)).document.nodes.find(({ meta }) => meta !== undefined);
    expect(byOurs?.meta).toMatchObject({ conflict: { kind: 'delete', ours: null } });
    const byTheirs = named('c', merge(base, ours, deleted)).document.nodes.find(({ meta }) => meta !== undefined);
    expect(byTheirs?.meta).toMatchObject({ conflict: { kind: 'delete', theirs: null } });
  });

  it('are removed on request, and nothing else changes', () => {
    const { document } = named('c');
    expect(withoutConflicts(document, new Set(['c']))).toBe(document);
    expect(withoutConflicts(document)).toEqual(merge(base, ours, theirs).document);
    expect(withoutConflicts(base)).toBe(base);
    const meta = { own: 1, conflict: 'text' };
    const other = { ...base, nodes: base.nodes.map((node, index) => (index === 0 ? { ...node, meta } : node)) };
    expect(withoutConflicts(other).nodes[0]?.meta).toEqual({ own: 1 });
  });

  it('are carried over to another version of the document', () => {
    const { document } = named('c');
    expect(withMarkersOf(base, base)).toBe(base);
    expect([...markedBlocks(withMarkersOf(base, document)).keys()]).toEqual(['c']);
    const newer = named('d').document;
    expect(withMarkersOf(newer, document)).toBe(newer);
  });
});
