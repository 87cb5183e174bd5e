import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fragmentRule, KNOWN_BLOCKS, ruleOf, TEXT_INLINES, VOID_INLINES } from './model/content.js';
import { MARK_ORDER } from './model/marks.js';
import { type Fragment, type Node } from './model/types.js';
import { parseMarkdown } from './index.js';

const folder = new URL('../corpus/', import.meta.url);

/** Every `parent > child` of the corpus: blocks by type, fragments by name, inlines by type, marks. */
function foundPairs(): Set<string> {
  const found = new Set<string>();
  const visit = (node: Node | Fragment, parent: string): void => {
    if (node.object === 'text')
      return node.leaves.forEach((leaf) => leaf.marks.forEach((mark) => found.add(`${parent} > ${mark.type}`)));
    const own = node.object !== 'fragment' ? node.type : parent === 'table' ? '#cell' : `#${node.fragment ?? ''}`;
    found.add(`${parent} > ${own}`);
    // The three levels of headings hold the same.
    const name = own.replace(/^heading-\d$/, 'heading');
    node.nodes?.forEach((child) => visit(child, name));
    if (node.object !== 'fragment') node.fragments?.forEach((part) => visit(part, name));
  };
  for (const name of readdirSync(folder))
    parseMarkdown(readFileSync(new URL(name, folder), 'utf8'), { context: 'page' }).document.nodes.forEach((node) =>
      visit(node, 'document'),
    );
  return found;
}

const FRAGMENTS = ['caption', 'expandable-title', 'expandable-body', 'annotation-body'];
const INLINES = [...VOID_INLINES, ...TEXT_INLINES, ...MARK_ORDER];

describe('the corpus', () => {
  const found = foundPairs();
  const allowed = [
    ...['document', ...KNOWN_BLOCKS].flatMap((parent) =>
      [...(ruleOf(parent)?.blocks ?? [])].map((child) => `${parent} > ${child}`),
    ),
    ...FRAGMENTS.flatMap((name) => [...(fragmentRule('', name)?.blocks ?? [])].map((child) => `#${name} > ${child}`)),
    ...[...(fragmentRule('table', '')?.blocks ?? [])].map((child) => `#cell > ${child}`),
  ];

  it('has every block in every other that may hold it', () => {
    expect(allowed.length).toBeGreaterThan(250);
    expect(allowed.filter((pair) => !found.has(pair))).toEqual([]);
  });

  it('has every inline and mark in paragraphs and headings, and what code may hold', () => {
    const wanted = [
      ...['paragraph', 'heading'].flatMap((parent) => INLINES.map((child) => `${parent} > ${child}`)),
      'code-line > annotation',
      'code-line > expression',
    ];
    expect(wanted.filter((pair) => !found.has(pair))).toEqual([]);
  });
});
