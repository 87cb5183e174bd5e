import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hash, parseMarkdown, toMarkdown, type RichDocument } from '../index.js';
import { runs, SEED } from '../test/arbitraries.js';

/** The leaves of a text, those with marks in brackets with their names. */
const marked = (document: RichDocument): string => {
  const said: string[] = [];
  const visit = (node: { leaves?: { text: string; marks: { type: string }[] }[]; nodes?: object[] }): void => {
    for (const { text, marks } of node.leaves ?? [])
      said.push(marks.length === 0 ? text : `[${marks.map(({ type }) => type).join('+')} ${text}]`);
    for (const child of node.nodes ?? []) visit(child);
  };
  for (const node of document.nodes) visit(node);
  return said.join('');
};

describe(`emphasis beside full-width punctuation (seed ${SEED})`, () => {
  it.each([
    ['ends behind a full stop', '**これは強調。**これは違う。', '[bold これは強調。]これは違う。'],
    ['ends behind a bracket', '**「重要」**です', '[bold 「重要」]です'],
    ['begins before a bracket', 'これは**「重要」**です', 'これは[bold 「重要」]です'],
    ['ends behind half-width brackets', '**强调(说明)**后面', '[bold 强调(说明)]后面'],
    ['is italic', '这是*“强调”。*后面', '这是[italic “强调”。]后面'],
    ['is struck out behind a full stop', '~~これは削除。~~これは違う。', '[strikethrough これは削除。]これは違う。'],
    ['is struck out before a bracket', '这是~~（旧的）~~新的', '这是[strikethrough （旧的）]新的'],
    ['stands in Korean', '**스크립트(Script)**라고', '[bold 스크립트(Script)]라고'],
    ['is none without a word', 'a * b。 * c', 'a * b。 * c'],
  ])('%s', (_name, markdown, said) => {
    const { document } = parseMarkdown(markdown);
    expect(marked(document)).toBe(said);
    const again = parseMarkdown(toMarkdown(document)).document;
    expect(hash(again, { keys: false })).toBe(hash(document, { keys: false }));
  });

  it('stays as it was beside other punctuation', () => {
    expect(marked(parseMarkdown('**bold.**word ~~old.~~word').document)).toBe('**bold.**word ~~old.~~word');
  });

  it('is read back as it was, whatever stands around the marks', () => {
    const parts = ['**', '*', '_', '~~', 'あ', '漢', '한', '。', '「', '」', '（', '“', 'a', '.', '(', ' ', '\\'];
    const texts = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 16 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, (markdown) => {
        const { document } = parseMarkdown(markdown);
        const again = parseMarkdown(toMarkdown(document)).document;
        expect(hash(again, { keys: false })).toBe(hash(document, { keys: false }));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
