import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diff, hash, merge, parseMarkdown, toMarkdown, toPlainText, validate, type RichDocument } from '../index.js';
import { ruleOf } from '../model/content.js';
import { sameJson } from '../model/same.js';
import { walk } from '../model/walk.js';
import { documents, runs, SEED } from '../test/arbitraries.js';
import { blockKeys, edited, edits, reordered } from '../test/edits.js';

const read = (markdown: string, previous?: RichDocument): RichDocument =>
  parseMarkdown(markdown, previous ? { previous } : {}).document;

/** Merges texts: both sides read over the base, as an editor of markdown would. */
function merged(base: string, ours: string, theirs: string): { text: string; conflicts: string[] } {
  const root = read(base);
  const { document, conflicts } = merge(root, read(ours, root), read(theirs, root));
  return { text: toMarkdown(document), conflicts: conflicts.map((conflict) => conflict.kind) };
}

describe('merge', () => {
  it('takes edits of different blocks from both sides', () => {
    expect(
      merged('a one\n\nb two\n\nc three', 'a one more\n\nb two\n\nc three', 'a one\n\nb two\n\nc three less'),
    ).toEqual({ text: 'a one more\n\nb two\n\nc three less\n', conflicts: [] });
  });

  it('merges one block by words that do not overlap', () => {
    expect(
      merged(
        'The quick brown fox jumps over it',
        'The quick red fox jumps over it',
        'The quick brown fox leaps over it',
      ).text,
    ).toBe('The quick red fox leaps over it\n');
  });

  it('keeps marks and inlines while it merges words', () => {
    const result = merged(
      'One **bold** word and [a link](/pages/a) here today',
      'Two **bold** word and [a link](/pages/a) here today',
      'One **bold** word and [a link](/pages/a) here tomorrow',
    );
    expect(result).toEqual({ text: 'Two **bold** word and [a link](/pages/a) here tomorrow\n', conflicts: [] });
  });

  it('reports the same words changed twice, holding both versions', () => {
    const base = read('The quick brown fox jumps');
    const { document, conflicts } = merge(
      base,
      read('The quick red fox jumps', base),
      read('The quick blue fox jumps', base),
    );
    expect(toMarkdown(document)).toBe('The quick red fox jumps\n');
    expect(conflicts).toEqual([
      expect.objectContaining({
        kind: 'edit',
        ours: expect.objectContaining({ type: 'paragraph' }),
        theirs: expect.objectContaining({ type: 'paragraph' }),
      }),
    ]);
    expect(JSON.stringify(conflicts[0]?.theirs)).toContain('blue');
  });

  it('deletes what one side deleted and the other left', () => {
    expect(merged('a one\n\nb two\n\nc three', 'a one\n\nc three', 'a one\n\nb two\n\nc three four')).toEqual({
      text: 'a one\n\nc three four\n',
      conflicts: [],
    });
  });

  it('keeps what one side deleted and the other edited, and says so', () => {
    expect(merged('a one\n\nb two three four', 'a one', 'a one\n\nb two three five')).toEqual({
      text: 'a one\n\nb two three five\n',
      conflicts: ['delete'],
    });
  });

  it("follows a move and keeps the other side's edit of the moved block", () => {
    expect(
      merged('a one\n\nb two three\n\nc four', 'b two three\n\na one\n\nc four', 'a one\n\nb two three!\n\nc four')
        .text,
    ).toBe('b two three!\n\na one\n\nc four\n');
  });

  it('puts additions of both sides at the same place one behind the other, whichever side is ours', () => {
    const [a, b] = [
      merged('x one', 'x one\n\nnew from a', 'x one\n\nnew from b'),
      merged('x one', 'x one\n\nnew from b', 'x one\n\nnew from a'),
    ];
    expect(a).toEqual(b);
    expect(a.text).toContain('new from a');
    expect(a.text).toContain('new from b');
  });

  it('reports siblings that both sides reordered differently', () => {
    const result = merged('a one\n\nb two\n\nc three', 'c three\n\na one\n\nb two', 'b two\n\na one\n\nc three');
    expect(result.conflicts).toEqual(['order']);
  });

  it('merges list items', () => {
    expect(
      merged('* one item\n* two items', '* one item\n* new item\n* two items', '* one item\n* two items!').text,
    ).toBe('* one item\n* new item\n* two items!\n');
  });

  it('merges blocks inside containers and fragments', () => {
    const page = (a: string, b: string): string =>
      `{% hint style="info" %}\n${a}\n{% endhint %}\n\n<details>\n\n<summary>Title</summary>\n\n${b}\n\n</details>`;
    const result = merged(
      page('in the hint', 'in the body'),
      page('in the big hint', 'in the body'),
      page('in the hint', 'in the long body'),
    );
    expect(result.conflicts).toEqual([]);
    expect(result.text).toContain('in the big hint');
    expect(result.text).toContain('in the long body');
  });

  it('merges tables by record and cell', () => {
    const base = '| A | B |\n| - | - |\n| one | two |\n| three | four |\n';
    const result = merged(
      base,
      '| A | B |\n| - | - |\n| one! | two |\n| three | four |\n| five | six |\n',
      '| A | B |\n| - | - |\n| one | two? |\n| three | four |\n',
    );
    expect(result).toEqual({
      text: '| A | B |\n| - | - |\n| one! | two? |\n| three | four |\n| five | six |\n',
      conflicts: [],
    });
  });

  it('does not lose the edit of a record the other side deleted', () => {
    const result = merged(
      '| A | B |\n| - | - |\n| one | two |\n| three | four |\n',
      '| A | B |\n| - | - |\n| three | four |\n',
      '| A | B |\n| - | - |\n| one | two changed |\n| three | four |\n',
    );
    expect(result.conflicts).toEqual(['edit']);
    expect(result.text).toContain('two changed');
  });

  it('merges the other rows of a table of which both sides changed one', () => {
    const rows = (a: string, b: string, c: string): string =>
      `| A | B |\n| - | - |\n| one | ${a} |\n| two | ${b} |\n| three | ${c} |\n`;
    expect(merged(rows('1', '2', '3'), rows('1!', '2!', '3'), rows('1', '2?', '3?'))).toEqual({
      text: rows('1!', '2!', '3?'),
      conflicts: ['edit'],
    });
  });

  it('merges properties of a block', () => {
    const tag = (style: string, icon: string): string =>
      `{% hint style="${style}"${icon} %}\nsome words here\n{% endhint %}`;
    expect(merged(tag('info', ''), tag('danger', ''), tag('info', ' icon="x"')).text).toContain(
      'style="danger" icon="x"',
    );
  });

  it('gives up moves that would put two blocks inside each other', () => {
    const hint = (key: string, nodes: RichDocument['nodes']): RichDocument['nodes'][number] => ({
      object: 'block',
      type: 'hint',
      key,
      isVoid: false,
      data: {},
      nodes,
    });
    const document = (...nodes: RichDocument['nodes']): RichDocument => ({ object: 'document', data: {}, nodes });
    const base = document(hint('a', []), hint('b', []));
    const { document: result, conflicts } = merge(
      base,
      document(hint('a', [hint('b', [])])),
      document(hint('b', [hint('a', [])])),
    );
    expect([...blockKeys(result)].sort()).toEqual(['a', 'b']);
    expect(conflicts.map((conflict) => conflict.kind)).toContain('move');
  });
});

/** The keys of paragraphs without text: a container that both sides together emptied gets one. */
function emptyKeys(document: RichDocument): Set<string> {
  const keys = new Set<string>();
  walk(document, (node) => {
    if (
      node.object === 'block' &&
      node.type === 'paragraph' &&
      node.key !== undefined &&
      toPlainText({ ...document, nodes: [node] }) === ''
    )
      keys.add(node.key);
  });
  return keys;
}

/** The keys of what is nothing without its parts. */
function wholeKeys(document: RichDocument): Set<string> {
  const keys = new Set<string>();
  walk(document, (node) => {
    const parts = node.object === 'block' ? ruleOf(node.type)?.blocks : undefined;
    if (parts && parts.size > 0 && !parts.has('paragraph') && node.object === 'block' && node.key !== undefined)
      keys.add(node.key);
  });
  return keys;
}

const valid = (document: RichDocument): boolean => sameJson(validate(document), document);

describe(`merge of generated edits (seed ${SEED})`, () => {
  it('of (base, x, base) and (base, base, x) is x, also when properties stand in another order', () => {
    fc.assert(
      fc.property(documents, edits, (base, changes) => {
        const x = edited(base, changes, 'x');
        for (const result of [
          merge(base, x, base),
          merge(base, x, reordered(base)),
          merge(base, base, x),
          merge(base, reordered(base), x),
        ]) {
          expect(hash(result.document)).toBe(hash(x));
          expect(result.conflicts).toEqual([]);
        }
      }),
      { numRuns: runs(80) },
    );
  });

  it('is symmetric, and loses no block that neither side deleted', () => {
    fc.assert(
      fc.property(documents, edits, edits, (base, mine, other) => {
        const [a, b] = [edited(base, mine, 'a'), edited(base, other, 'b')];
        const [one, two] = [merge(base, a, b), merge(base, b, a)];
        const named = (result: typeof one): string[] =>
          result.conflicts.map((conflict) => `${conflict.kind} ${conflict.key}`).sort();
        expect(named(one)).toEqual(named(two));
        if (one.conflicts.length === 0) expect(hash(one.document)).toBe(hash(two.document));
        const [wholes, emptied] = [wholeKeys(base), emptyKeys(one.document)];
        const [inA, inB, before, after] = [blockKeys(a), blockKeys(b), blockKeys(base), blockKeys(one.document)];
        for (const key of [...inA, ...inB])
          if ((inA.has(key) && inB.has(key)) || !before.has(key)) expect(after.has(key) || wholes.has(key)).toBe(true);
        for (const key of after) expect(inA.has(key) || inB.has(key) || emptied.has(key)).toBe(true);
      }),
      { numRuns: runs(120) },
    );
  });

  it('is a document that fits the format, whatever both sides took out of it', () => {
    fc.assert(
      fc.property(documents, edits, edits, (base, mine, other) => {
        const { document } = merge(base, edited(base, mine, 'a'), edited(base, other, 'b'));
        if (valid(base) && valid(edited(base, mine, 'a')) && valid(edited(base, other, 'b')))
          expect(validate(document)).toEqual(document);
      }),
      { numRuns: runs(120) },
    );
  });

  it('diff finds every difference and only differences', () => {
    fc.assert(
      fc.property(documents, edits, (base, changes) => {
        const after = edited(base, changes, 'x');
        expect(diff(base, reordered(base))).toEqual([]);
        expect(diff(base, after).length === 0).toBe(hash(base) === hash(after));
      }),
      { numRuns: runs(120) },
    );
  });
});
