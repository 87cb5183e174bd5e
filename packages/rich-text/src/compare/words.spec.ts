import { describe, expect, it } from '@jest/globals';
import { inline, leaf, mark, text, voidInline } from '../model/build.js';
import { type InlineNode, type Mark } from '../model/types.js';
import { show } from '../test/show.js';
import { diffWords, mergeWords } from './words.js';
import { newWork } from './work.js';

const leaves = (...parts: Array<[string, ...Mark[]]>): InlineNode => ({
  object: 'text',
  leaves: parts.map(([value, ...marks]) => leaf(value, marks)),
});
const bold = mark('bold');
const icon = (name: string, key?: string): InlineNode => ({
  ...voidInline('icon', { icon: name }),
  ...(key !== undefined && { key }),
});
const merged = (base: InlineNode[], ours: InlineNode[], theirs: InlineNode[]): string | null =>
  mergeWords(base, ours, theirs, newWork())?.map(show).join(' ') ?? null;

describe('the merge of words', () => {
  it.each([
    ['one two three', 'one 2 three', 'one two three!', '"one 2 three!"'],
    ['one two three', 'one three', 'zero one two three', '"zero one three"'],
    ['one two', 'one 2', 'one 2', '"one 2"'],
    ['one two', 'one 2', 'one zwei', null],
    ['Zürich 日本', 'Zürich, 日本', 'Zürich 日本 2', '"Zürich, 日本 2"'],
    ['one', '', 'one', '""'],
  ])('%j, %j, %j', (base, ours, theirs, expected) =>
    expect(merged([text(base)], [text(ours)], [text(theirs)])).toBe(expected),
  );

  it('keeps marks, and joins words whose marks are equal', () => {
    const base = [leaves(['plain '], ['strong words', bold], [' end'])];
    expect(
      merged(
        base,
        [leaves(['very plain '], ['strong words', bold], [' end'])],
        [leaves(['plain '], ['strong', bold], [' words end'])],
      ),
    ).toBe('"very plain ""strong"^bold" words end"');
    expect(mergeWords(base, base, base, newWork())).toEqual(base);
  });

  it('compares inlines without their keys', () => {
    const base = [text('a b '), icon('x', '1'), text(' c')];
    expect(merged(base, [text('a 2 '), icon('x', '2'), text(' c')], [text('a b '), icon('x', '3'), text(' d')])).toBe(
      '"a 2 " icon{"icon":"x"}() " d"',
    );
    expect(merged(base, [text('a b '), icon('y'), text(' c')], [text('a b '), icon('z'), text(' c')])).toBeNull();
    expect(
      merged(
        [inline('link', { ref: 1 }, [text('l')])],
        [inline('link', { ref: 1 }, [text('m')])],
        [inline('link', { ref: 1 }, [text('l')]), text('!')],
      ),
    ).toBeNull();
  });

  it('is not done word by word if too many words are equal, apart from equal ends', () => {
    const many = 'x '.repeat(400);
    expect(merged([text(`a ${many}b`)], [text(`c ${many}b`)], [text(`a ${many}d`)])).toBeNull();
    expect(merged([text(`a ${many}b`)], [text(`c ${many}b`)], [text(`a b ${many}b`)])).toBeNull();
    expect(merged([text(`${many}a b c`)], [text(`${many}d b c`)], [text(`${many}a b e`)])).toBe(`"${many}d b e"`);
    expect(merged([text(`a b c${many}`)], [text(`d b c${many}`)], [text(`a b e${many}`)])).toBe(`"d b e${many}"`);
  });

  it('takes its work from that of the document', () => {
    const work = { pairs: 20 };
    const once = (): unknown => mergeWords([text('a b c')], [text('d b c')], [text('a b e')], work);
    expect([once(), once()]).toEqual([[text('d b e')], null]);
  });
});

describe('the comparison of words', () => {
  it.each([
    ['one two three', 'one 2 three', '=one |-two|+2|= three'],
    ['one two', 'one two three', '=one two|+ three'],
    ['one, two', 'one', '=one|-, two'],
    ['naïve 日本', 'naïve 日 本', '=naïve |-日本|+日 本'],
    ['', 'new', '+new'],
    ['old', '', '-old'],
    ['', '', ''],
  ])('%j and %j', (before, after, expected) => {
    expect(
      diffWords(before, after, newWork())
        .map(({ kind, text: words }) => `${{ same: '=', added: '+', removed: '-' }[kind]}${words}`)
        .join('|'),
    ).toBe(expected);
  });

  it('takes a text as a whole if too many words are equal, apart from equal ends', () => {
    const many = 'x '.repeat(400);
    expect(diffWords(`a ${many}b`, `c ${many}d`, newWork())).toEqual([
      { kind: 'removed', text: `a ${many}b` },
      { kind: 'added', text: `c ${many}d` },
    ]);
    expect(diffWords(`${many}a ${many}`, `${many}b ${many}`, newWork()).map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ]);
    const work = { pairs: 8 };
    expect([0, 1].map(() => diffWords('a b c', 'd b e', work).length)).toEqual([5, 2]);
  });
});
