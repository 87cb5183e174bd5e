import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diff3Merge } from 'node-diff3';
import { merge, toPlainText, validate, withConflicts, type MergeConflict, type RichDocument } from '../index.js';
import { isEmptyParagraph } from '../model/build.js';
import { sameJson } from '../model/same.js';
import { runs, SEED } from '../test/arbitraries.js';
import { merged, read } from '../test/merging.js';

describe('blocks that both sides replaced by different ones', () => {
  const page = 'Text of Deploy. See the first page.\n\n## Before you begin\n\nWords.';
  const boxed = (text: string): string => `{% hint style="info" %}\n${text}\n{% endhint %}`;
  const rows = (...names: string[]): string =>
    ['| k | v |', '| - | - |', ...names.map((name) => `| ${name} | x |`)].join('\n');
  const cell = (...lines: string[]): string =>
    `<table><tbody><tr><td>${lines.map((line) => `<p>${line}</p>`).join('')}</td></tr></tbody></table>`;

  it.each([
    ['a page by a sentence', page, 'The answer is 41.', 'The answer is 42.'],
    ['a page by a box', page, boxed('The answer is 41.'), boxed('The answer is 42.')],
    ['a page by a section', page, '## Scale\n\nUp and down.', '## Fail over\n\nLeft and right.'],
    ['a page by a list and by a sentence', page, '* one\n* two', 'The answer is 42.'],
    ['what stands in a box', boxed(page), boxed('The answer is 41.'), boxed('The answer is 42.')],
    ['the items of a list', '* a one\n* b two\n* c three', '* The answer is 41.', '* The answer is 42.'],
    ['the lines of a code block', '```\na()\nb()\nc()\n```', '```\nd(41)\n```', '```\ne(42)\n```'],
    ['the rows of a table', rows('one', 'two', 'three'), rows('four'), rows('five')],
    [
      'the columns of a table',
      '| a | b | c |\n| - | - | - |\n| 1 | 2 | 3 |',
      '| d |\n| - |\n| 4 |',
      '| e |\n| - |\n| 5 |',
    ],
    ['what stands in a cell', cell('a one', 'b two', 'c three'), cell('The answer is 41.'), cell('The answer is 42.')],
  ])('are a conflict in which ours stays: %s', (_name, base, ours, theirs) => {
    for (const [mine, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const result = merged(base, mine, other);
      expect(result.conflicts.length).toBeGreaterThan(0);
      expect(result.text).toBe(merged(base, mine, base).text);
    }
  });

  it('give one conflict for each pair, and further blocks of theirs stay as deleted by ours', () => {
    const base = read(`before it\n\n${page}\n\n### After\n\nMore of it.\n\nbehind it`);
    const ours = read('before it\n\nThe answer is 41.\n\nbehind it', base);
    const theirs = read('before it\n\nThe answer is 42.\n\n* It is known.\n\nbehind it', base);
    const { document, conflicts } = merge(base, ours, theirs);
    const text = (block: MergeConflict['ours']): string | null => block && toPlainText({ ...base, nodes: [block] });
    expect(conflicts.map((each) => [each.kind, text(each.base), text(each.ours), text(each.theirs)])).toEqual([
      ['edit', 'Text of Deploy. See the first page.', 'The answer is 41.', 'The answer is 42.'],
      ['delete', null, null, 'It is known.'],
    ]);
    expect(toPlainText(document).split('\n\n')).toEqual([
      'before it',
      'The answer is 41.',
      'It is known.',
      'behind it',
    ]);
    const named = conflicts.map((conflict) => ({ id: conflict.kind, conflict }));
    expect([...withConflicts(document, named).marked.values()]).toEqual(['edit', 'delete']);
    expect(validate(document)).toEqual(document);
  });

  it('give no conflict if one side only deleted them, if both put the same, or if nothing was deleted', () => {
    expect(merged(`${page}\n\nit stays`, 'it stays', 'new words\n\nit stays').conflicts).toEqual([]);
    expect(merged(page, 'The answer is 42.', 'The answer is 42.')).toEqual({
      text: 'The answer is 42.',
      conflicts: [],
    });
    expect(merged('x one\n\ny two', 'x one\n\na three\n\ny two', 'x one\n\nb four\n\ny two').conflicts).toEqual([]);
  });
});

/** Which blocks of the base a side kept, and how many it added before each of them and at the end. */
type Side = { kept: boolean[]; added: number[] };

const SIZE = 6;
const sides: fc.Arbitrary<Side> = fc.record({
  kept: fc.array(fc.boolean(), { minLength: SIZE, maxLength: SIZE }),
  added: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: SIZE + 1, maxLength: SIZE + 1 }),
});
const words = (name: string): string => `${name}a ${name}b ${name}c`;
const texts = Array.from({ length: SIZE }, (_, at) => words(`base${at}`));
const root = read(texts.join('\n\n'));
const base = root.nodes.map(({ key = '' }) => key);

/** The base without what a side deleted, and with what it added at each place. */
function edited({ kept, added }: Side, name: string): RichDocument {
  const at = (place: number): string[] =>
    Array.from({ length: added[place] ?? 0 }, (_, n) => words(`${name}${place}x${n}`));
  const blocks = [...texts.flatMap((text, place) => [...at(place), ...(kept[place] ? [text] : [])]), ...at(SIZE)];
  return read(blocks.join('\n\n'), root);
}

const keysIn = (document: RichDocument): string[] =>
  document.nodes.filter((node) => !isEmptyParagraph(node)).map(({ key = '' }) => key);
/** True when a block that was there says something else: rewritten blocks are those that they were. */
const isRewritten = ({ nodes }: RichDocument): boolean =>
  nodes.some((node) => {
    const was = root.nodes.find(({ key }) => key === node.key);
    return was !== undefined && !sameJson(was, node);
  });

/**
 * What a merge of lists makes of the blocks where neither side's edit touches the other's (`isExact`). Where they
 * touch, the rules of merging (docs/adr/0023) say more: what one side deleted goes, what each side added comes.
 */
function expected(ours: readonly string[], theirs: readonly string[]): { isExact: boolean; blocks: string[] } {
  const regions = diff3Merge([...ours], base, [...theirs], { excludeFalseConflicts: true });
  const stays = (key: string): boolean => !base.includes(key) || (ours.includes(key) && theirs.includes(key));
  const blocks = regions.flatMap(({ ok, conflict }) =>
    conflict ? [...new Set([...conflict.a, ...conflict.b])].filter(stays) : (ok ?? []),
  );
  return { isExact: regions.every(({ conflict }) => !conflict), blocks };
}

/** Blocks of the base in the place of which each side has something else. */
function replaced(ours: readonly string[], theirs: readonly string[]): string[] {
  const hasOther = (side: readonly string[], at: number): boolean => {
    const before = base.slice(0, at).findLast((key) => side.includes(key));
    const behind = base.slice(at).find((key) => side.includes(key));
    const start = before === undefined ? 0 : side.indexOf(before) + 1;
    return (behind === undefined ? side.length : side.indexOf(behind)) > start;
  };
  return base.filter((key, at) => [ours, theirs].every((side) => !side.includes(key) && hasOther(side, at)));
}

describe(`a merge of added and deleted blocks, beside one by another library (seed ${SEED})`, () => {
  it('has the same blocks, or a conflict if both sides replaced the same blocks', () => {
    fc.assert(
      fc.property(sides, sides, (a, b) => {
        const [ours, theirs] = [edited(a, 'ours'), edited(b, 'theirs')];
        const [mine, other] = [keysIn(ours), keysIn(theirs)];
        const { document, conflicts } = merge(root, ours, theirs);
        const wanted = expected(mine, other);
        const blocks = keysIn(document);
        if (replaced(mine, other).length > 0) expect(conflicts).not.toEqual([]);
        else if (!isRewritten(ours) && !isRewritten(theirs)) expect(conflicts).toEqual([]);
        if (conflicts.length > 0) return;
        if (wanted.isExact) expect(blocks).toEqual(wanted.blocks);
        expect([...blocks].sort()).toEqual([...wanted.blocks].sort());
        for (const side of [mine, other])
          expect(blocks.filter((key) => side.includes(key))).toEqual(side.filter((key) => blocks.includes(key)));
      }),
      { numRuns: runs(200) },
    );
  });
});
