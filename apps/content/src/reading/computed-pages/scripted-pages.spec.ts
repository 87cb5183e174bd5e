import { describe, expect, it } from '@jest/globals';
import { pagesOf, type Expansion } from './place-pages.js';
import type { ScriptedComputedPage } from './computed-page.js';
import { nameOfSource, readScriptedPages, type GivenDocument } from './scripted-pages.task.js';

const type = 'integration:n:s';
const page = (id: string, pages: object[] = []) => ({
  ...{ type: 'document', id, title: `Page ${id}` },
  ...{ computed: { type, props: { id } }, pages },
});
const text = (said: string): GivenDocument => ({ answer: JSON.stringify({ document: { markdown: said } }) });
const bad: GivenDocument = { answer: JSON.stringify({ document: { object: 'document', nodes: [{ object: 7 }] } }) };

function read(pages: object[], documents: Record<string, GivenDocument>, earlier?: string) {
  const named = Object.entries(documents).map(([id, given]) => [nameOfSource({ type, props: { id } }), given]);
  const found = readScriptedPages({
    revision: JSON.stringify({ pages }),
    documents: Object.fromEntries(named),
    dependencies: undefined,
    earlier,
  });
  return { ...found, read: JSON.parse(found.pages) as ScriptedComputedPage[] };
}

function titlesShown(pages: readonly ScriptedComputedPage[]): string[] {
  const of = { id: 'c', type: 'computed', title: '', order: '', createdAt: '', updatedAt: '' } as const;
  const expansion: Expansion = pages.map(({ document, ...one }) => ({ ...one, document: document?.name }));
  return pagesOf({ page: of, seed: 's' }, expansion).map((one) => `${one.type} ${one.title}`);
}

describe('the pages that a script has computed', () => {
  it('have documents as users write them: as markdown, or as documents', () => {
    const document = { object: 'document', data: {}, nodes: [] };
    const given = { a: text('# Page a\n\nSome *words*'), b: { answer: JSON.stringify({ document }) } };
    const { read: pages, fault } = read([page('a'), page('b')], given);
    expect(fault).toBeUndefined();
    expect(pages[0]?.document?.text).toContain('words');
    expect(pages[0]?.document?.text).not.toContain('Page a');
    expect(JSON.parse(pages[1]?.document?.text ?? '')).toMatchObject({ object: 'document', nodes: [] });
  });

  it('are there without one whose document is bad, which is told', () => {
    const { read: pages, fault } = read([page('a'), page('b')], { a: text('A'), b: bad });
    expect(fault).toContain('pages.1.computed.document.nodes.0');
    expect(titlesShown(pages)).toEqual(['document Page a']);
    expect(pages[1]).toMatchObject({ key: 'b', fault, computed: { type, props: { id: 'b' } } });
    const failed = read([page('a'), page('b')], { a: text('A'), b: { fault: 'It failed' } });
    expect(failed.fault).toBe('pages.1.computed: It failed');
  });

  it('show the document from before in the place of a bad one', () => {
    const { pages: earlier } = read([page('a'), page('b')], { a: text('A'), b: text('B') });
    const { read: pages, fault } = read([page('a'), page('b')], { a: text('Other'), b: bad }, earlier);
    expect(fault).toBeDefined();
    expect(pages[1]).toMatchObject({ stale: true, document: { text: expect.stringContaining('"B"') } });
    expect(pages[0]).not.toHaveProperty('stale');
    expect(titlesShown(pages)).toEqual(['document Page a', 'document Page b']);
  });

  it('keep the pages in one that is left out', () => {
    const { read: pages } = read([page('a', [page('b'), page('c')])], { a: bad, b: text('B'), c: bad });
    expect(titlesShown(pages)).toEqual(['group Page a', 'document Page b']);
  });

  it('are refused when every document is bad', () => {
    expect(() => read([page('a'), page('b')], { a: bad, b: bad })).toThrow('pages.0.computed.document.nodes.0');
  });
});
