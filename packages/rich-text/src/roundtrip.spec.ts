import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { parseMarkdown, toMarkdown, toPlainText, type ParsedMarkdown } from './index.js';
import { documents, runs, SEED, shape, words } from './test/arbitraries.js';
import { oddDocuments } from './test/odd-texts.js';

const folder = new URL('../corpus/', import.meta.url);
const pages = readdirSync(folder).map((name): [string, string] => [name, readFileSync(new URL(name, folder), 'utf8')]);

const write = ({ document, title, frontMatter }: ParsedMarkdown): string =>
  toMarkdown(document, { context: 'page', ...(title !== undefined && { title }), ...(frontMatter && { frontMatter }) });

/** The words of a text that are neither tag names nor attributes nor link targets. */
function visibleWords(markdown: string): string[] {
  const bare = markdown
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/\{% *@[^]*?%\}|\{%[^]*?%\}/g, ' ')
    .replace(/<code class="expression">([^]*?)<\/code>/g, '$1')
    .replace(/<select[^]*?<\/select>|<i class[^]*?<\/i>|<a data-mention[^]*?<\/a>|<\/?[a-z][^>]*>/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/^[ >]*```\w*|^\[\^\w+\]:|\[\^\w+\]|:\w+:|&\w+;|^[ >]*\d+\. |\[[x ]\]|\[!TIP\]/gm, ' ');
  return words(bare);
}

describe('pages of the corpus', () => {
  it('has at least 60 pages', () => expect(pages.length).toBeGreaterThanOrEqual(60));

  it.each(pages)('%s is stable after one pass and keeps every node', (_, source) => {
    const first = parseMarkdown(source, { context: 'page' });
    const markdown = write(first);
    const second = parseMarkdown(markdown, { context: 'page' });
    expect(write(second)).toBe(markdown);
    expect(shape(second.document)).toBe(shape(first.document));
    expect(second.title).toBe(first.title);
    expect(second.frontMatter).toEqual(first.frontMatter);
  });

  it.each(pages)('%s keeps its keys when it is written and read again', (_, source) => {
    const { document } = parseMarkdown(source, { context: 'page' });
    const again = parseMarkdown(toMarkdown(document, { context: 'page' }), { context: 'page', previous: document });
    expect(again.document).toEqual(document);
  });

  it.each(pages.filter(([name]) => !/swaggerold|openapi|inside-(tab|step|column|update|if)/.test(name)))(
    '%s loses no word',
    (_, source) => {
      const { document, title } = parseMarkdown(source, { context: 'page' });
      const have = words(`${title ?? ''} ${toPlainText(document)}`).join(' ');
      expect(visibleWords(source).filter((word) => !have.includes(word))).toEqual([]);
    },
  );
});

describe(`generated documents (seed ${SEED})`, () => {
  it('are the same after markdown, and their markdown is stable', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('page' as const, 'comment' as const), (document, context) => {
        const markdown = toMarkdown(document, { context });
        const again = parseMarkdown(context === 'page' ? `# T\n\n${markdown}` : markdown, { context }).document;
        expect(shape(again)).toBe(shape(document));
        expect(toMarkdown(again, { context })).toBe(markdown);
      }),
      { numRuns: runs(200), verbose: false },
    );
  });

  it('keep every word in their plain text', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const again = parseMarkdown(toMarkdown(document)).document;
        expect(words(toPlainText(again)).join(' ')).toBe(words(toPlainText(document)).join(' '));
      }),
      { numRuns: runs(80) },
    );
  });

  it('keep every word also of texts that look like markup', () => {
    fc.assert(
      fc.property(oddDocuments, (document) => {
        const again = parseMarkdown(toMarkdown(document)).document;
        expect(words(toPlainText(again)).join('')).toBe(words(toPlainText(document)).join(''));
        const markdown = toMarkdown(again);
        expect(toMarkdown(parseMarkdown(markdown).document)).toBe(markdown);
      }),
      { numRuns: runs(80) },
    );
  });

  it('keep all keys when read again over themselves', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const again = parseMarkdown(toMarkdown(document), { previous: document }).document;
        expect(again.nodes.map((node) => node.key)).toEqual(document.nodes.map((node) => node.key));
      }),
      { numRuns: runs(80) },
    );
  });
});
