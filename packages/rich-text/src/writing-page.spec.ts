import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseMarkdown } from './index.js';
import { KNOWN_BLOCKS, TEXT_INLINES, VOID_INLINES } from './model/content.js';
import { MARK_ORDER } from './model/marks.js';

const page = readFileSync(new URL('../../../docs/writing.md', import.meta.url), 'utf8');
/** Headings of the page that name types of nodes, each with the markdown below it. */
const examples = [...page.matchAll(/^### (.+: `.+)\n(```|~~~)md\n([^]*?)^\2$/gm)].map(
  ([, heading = '', , markdown = '']) => ({
    heading,
    types: [...heading.matchAll(/`([^`]+)`/g)].map(([, type = '']) => type),
    markdown,
  }),
);

/** The types of all nodes and marks in a document. */
function typesIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return found;
  if ('type' in value && 'object' in value) found.add(value.type);
  for (const child of Object.values(value)) typesIn(child, found);
  return found;
}

describe('the page on writing', () => {
  it.each(examples)('$heading', ({ types, markdown }) => {
    const { document } = parseMarkdown(markdown, { context: 'page' });
    expect([...typesIn(document)]).toEqual(expect.arrayContaining(types));
  });

  it('has all markdown in examples that are checked', () => {
    expect(page.match(/^(?:```|~~~)md$/gm)).toHaveLength(examples.length);
  });

  it('names every type of block, inline and mark', () => {
    const named = new Set(examples.flatMap(({ types }) => types));
    const all = [...KNOWN_BLOCKS, ...VOID_INLINES, ...TEXT_INLINES, ...MARK_ORDER];
    expect(all.filter((type) => !named.has(type))).toEqual([]);
  });
});
