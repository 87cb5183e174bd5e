import { describe, expect, it } from '@jest/globals';
import { block, fragment, inline, paragraph, text, voidBlock } from '../model/build.js';
import { type Block, type ContentRef, type Data, type RichDocument } from '../model/types.js';
import { show } from '../test/show.js';
import { dereference, type DereferenceOptions } from './dereference.js';

const words = (value: string, key?: string): Block => ({
  ...paragraph([text(value)]),
  ...(key !== undefined && { key }),
});
const include = (id: string): Block =>
  voidBlock('reusable-content', { ref: { kind: 'reusable-content', reusableContent: id } });
const page = (...nodes: Block[]): RichDocument => ({ object: 'document', data: {}, nodes });

const contents: { [id: string]: RichDocument } = {
  plain: page(words('plain', 'p')),
  outer: page(words('outer'), include('plain')),
  loop: page(words('loop'), include('loop')),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`deep${n}`, page(words(String(n)), include(`deep${n + 1}`))])),
};
const reusableContent = ({ reusableContent: id }: ContentRef): RichDocument | null =>
  typeof id === 'string' ? (contents[id] ?? null) : null;
const shown = (options: Partial<DereferenceOptions>, ...nodes: Block[]): string[] =>
  dereference(page(...nodes), { reusableContent, ...options }).nodes.map(show);
const left = (id: string): string => show(include(id));

describe('reusable contents', () => {
  it('are replaced by their nodes, inside each other and anywhere else', () => {
    const body = voidBlock('expandable', {}, [fragment('expandable-body', [include('plain')])]);
    expect(shown({}, include('outer'), block('hint', {}, [include('plain')]), body)).toEqual([
      'paragraph("outer")',
      'paragraph("plain")',
      'hint(paragraph("plain"))',
      'expandable(#expandable-body(paragraph("plain")))',
    ]);
  });

  it('are left where they contain themselves, do not exist, or name none', () => {
    const nameless = [
      voidBlock('reusable-content', {}),
      voidBlock('reusable-content', { ref: null }),
      voidBlock('reusable-content', { ref: ['plain'] }),
      voidBlock('reusable-content', { ref: { reusableContent: 'plain' } }),
    ];
    expect(shown({}, include('loop'), include('none'), ...nameless)).toEqual([
      'paragraph("loop")',
      left('loop'),
      left('none'),
      ...nameless.map(show),
    ]);
  });

  it('are left below the fifth', () => {
    expect(shown({}, include('deep1'))).toEqual([...[1, 2, 3, 4, 5].map((n) => `paragraph("${n}")`), left('deep6')]);
  });

  it.each([
    ['each other', 6, page(), 'too_complex'],
    ['a word', 4, page(words('word')), 'too_many_nodes'],
    ['nothing', 4, page(), 'too_many_nodes'],
    ['long texts', 2, page(words('word '.repeat(10_000))), 'too_complex'],
  ])('are refused where they repeat %s', (_name, levels, last, reason) => {
    const many = ({ reusableContent: id }: ContentRef): RichDocument =>
      Number(id) > levels ? last : page(...Array.from({ length: 60 }, () => include(String(Number(id) + 1))));
    expect(() => dereference(page(include('1')), { reusableContent: many })).toThrow(
      expect.objectContaining({ reason }),
    );
  });

  it('may fill a document up to its limits', () => {
    const limits = { maxNodes: 5, maxBytes: 5 };
    expect(shown({ limits }, include('plain'), words('own'))).toEqual(['paragraph("plain")', 'paragraph("own")']);
    expect(() => shown({ limits }, include('plain'), words('own'), voidBlock('divider', {}))).toThrow(
      expect.objectContaining({ reason: 'too_many_nodes' }),
    );
  });

  it('get new keys when they come twice, or the page has theirs', () => {
    const note = {
      ...inline('annotation', {}, [text('n')]),
      key: 'n',
      fragments: [{ ...fragment('annotation-body', [words('b', 'b')]), key: 'f' }],
    };
    const noted = page({ ...paragraph([note]), key: 'k' });
    const { nodes } = dereference(page(include('a'), include('a'), words('own', 'k'), words('none')), {
      reusableContent: () => noted,
    });
    const keys = [...JSON.stringify(nodes).matchAll(/"key":"(\w+)"/g)].map(([, key]) => key);
    expect(keys).toHaveLength(9);
    expect(new Set(keys).size).toBe(9);
    expect(keys.filter((key) => key?.length === 1).sort()).toEqual(['b', 'f', 'k', 'n']);
    expect(nodes[3]).toEqual(words('none'));
  });
});

describe('what references point at', () => {
  const ref = { kind: 'page', page: 'p' };
  const resolved = { title: 'P', href: '/p' };
  const target = (asked: ContentRef): typeof resolved | null => (asked['page'] === 'p' ? resolved : null);
  const link = (data: Data): Block => paragraph([inline('link', data, [text('l')])]);

  it.each<[string, Block, string]>([
    ['a link', link({ ref }), show(link({ ref, resolved }))],
    [
      'a mention',
      paragraph([inline('mention', { ref }, [])]),
      show(paragraph([inline('mention', { ref, resolved }, [])])),
    ],
    ['a content reference', voidBlock('content-ref', { ref }), show(voidBlock('content-ref', { ref, resolved }))],
    [
      'a link to nothing',
      link({ ref: { kind: 'page', page: 'gone' } }),
      show(link({ ref: { kind: 'page', page: 'gone' } })),
    ],
    ['a link without a reference', link({}), show(link({}))],
    ['a file', voidBlock('file', { ref }), show(voidBlock('file', { ref }))],
  ])('is said for %s', (_name, node, expected) => expect(shown({ target }, node)).toEqual([expected]));

  it.each(['swagger', 'openapi-operation', 'openapi-schemas', 'openapi-webhook'])('is said for %s', (type) => {
    expect(shown({ openapi: (node) => ({ path: node.data['path'] ?? '' }) }, voidBlock(type, { path: '/a' }))).toEqual([
      show(voidBlock(type, { path: '/a', resolved: { path: '/a' } })),
    ]);
  });

  it('is left out when nobody is asked, or nothing is known', () => {
    const nodes = [link({ ref }), voidBlock('swagger', { path: '/a' }), voidBlock('divider', {})];
    expect(shown({}, ...nodes)).toEqual(nodes.map(show));
    expect(shown({ openapi: () => null, target: () => null }, ...nodes)).toEqual(nodes.map(show));
  });
});
