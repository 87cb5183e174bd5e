import fc from 'fast-check';
import { block, fragment, paragraph, text, voidBlock, voidInline } from '../model/build.js';
import { type BlockType, type PartType } from '../model/content.js';
import { keysFrom } from '../model/keys.js';
import { validate } from '../model/validate.js';
import { Signatures } from '../model/signature.js';
import { type Block, type Data, type Fragment, type Json, type RichDocument } from '../model/types.js';
import { inlines, name, noteOn, phrase, ref } from './arbitrary-inlines.js';

const align = fc.constantFrom({}, {}, {}, { align: 'center' }, { align: 'end' });
const paragraphs: fc.Arbitrary<Block> = fc.tuple(inlines, align).map(([nodes, data]) => paragraph(nodes, data));
const heading = (type: string): fc.Arbitrary<Block> =>
  fc
    .tuple(inlines, fc.constantFrom({}, {}, { id: 'fixed-id' }, { align: 'center' }))
    .map(([nodes, data]) => block(type, data, nodes));

const codeText = fc.array(fc.oneof(phrase(0, 4), fc.constantFrom('  {% hint %}', '```', '', '\tx', '</pre>', '$$')), {
  minLength: 1,
  maxLength: 5,
});
const codes: fc.Arbitrary<Block> = fc
  .tuple(
    codeText,
    fc.constantFrom(
      {},
      { syntax: 'js' },
      { syntax: 'mermaid' },
      { syntax: 'c++', title: 'a "b".js', overflow: 'wrap' },
      { lineNumbers: true, fullWidth: true, expandable: true, collapsedLineCount: 5 },
    ),
  )
  .map(([lines, data]) =>
    block(
      'code',
      data,
      lines.map((value) => block('code-line', {}, [text(value)])),
    ),
  );
const richCode: fc.Arbitrary<Block> = fc
  .tuple(fc.array(phrase(1, 3), { minLength: 1, maxLength: 3 }), noteOn(fc.constant([])))
  .map(([lines, noted]) =>
    block('code', { syntax: 'ts' }, [
      ...lines.map((value, i) => block('code-line', i === 0 ? { highlighted: true } : {}, [text(value)])),
      block('code-line', {}, [text('x '), noted, voidInline('expression', { expression: 'a < b' })]),
    ]),
  );
const prompts = codes.map((own) =>
  block('prompt', { description: 'Ask "it"', icon: 'x', openInAIProviders: true, defaultExpanded: 'full' }, [own]),
);

const caption = fc
  .option(inlines, { nil: undefined })
  .map((nodes) => (nodes ? [fragment('caption', [paragraph(nodes)])] : undefined));
const picture: fc.Arbitrary<Block> = fc
  .tuple(
    ref,
    fc.constantFrom(
      {},
      { alt: 'An "alt"' },
      { width: 100 },
      { width: { unit: '%', value: 50 }, height: 10 },
      { refDark: { kind: 'file', file: 'dark' } },
    ),
    caption,
  )
  .map(([target, data, fragments]) => voidBlock('image', { ref: target, ...data }, fragments));
const images: fc.Arbitrary<Block> = fc
  .tuple(
    fc.array(picture, { minLength: 1, maxLength: 2 }),
    fc.constantFrom({}, { align: 'left' }, { fullWidth: true }, { withFrame: true }),
  )
  .map(([nodes, data]) => block('images', data, nodes));

const apiBlock = (type: string, data: Data): fc.Arbitrary<Block> =>
  name.map((spec) => voidBlock(type, { ref: { kind: 'openapi', spec }, ...data }));

const cell = fc.oneof(
  { weight: 6, arbitrary: inlines.map((nodes) => [paragraph(nodes)]) },
  { weight: 1, arbitrary: fc.tuple(inlines, inlines).map(([a, b]) => [paragraph(a), paragraph(b)]) },
  { weight: 1, arbitrary: codes.map((own) => [own]) },
);
const newId = keysFrom('generated');
const titled = <T extends Data>(own: fc.Arbitrary<T>): fc.Arbitrary<Data> =>
  fc.tuple(own, phrase(1, 2)).map(([target, title]) => ({ ...target, title }));

/** Columns that hold values of a type, and some of these. */
const TYPED: ReadonlyArray<[Data, fc.Arbitrary<Json>]> = [
  [{ type: 'number' }, fc.constantFrom(4, -2.5, 0)],
  [{ type: 'rating', max: 5 }, fc.nat(5)],
  [{ type: 'checkbox' }, fc.boolean()],
  [
    {
      type: 'select',
      multiple: true,
      options: [
        { value: 'v', label: 'Value' },
        { value: 'w', label: 'A, "b" & <c>', color: 'red' },
      ],
    },
    fc.subarray(['v', 'w', 'x'], { minLength: 1 }),
  ],
  [
    { type: 'users', multiple: true },
    fc.array(fc.oneof(name, titled(name.map((user) => ({ kind: 'user', user })))), { minLength: 1, maxLength: 2 }),
  ],
  [
    { type: 'files' },
    fc.array(fc.oneof(name, titled(name.map((file) => ({ kind: 'file', file })))), { minLength: 1, maxLength: 2 }),
  ],
  [{ type: 'content-ref' }, titled(ref)],
  [{ type: 'image' }, titled(name.map((file) => ({ kind: 'file', file })))],
];

type AnyCell = { nodes: Block[] } | { value: Json | undefined };
/** A cell of a typed column: its value, none, one line of text, or what a cell of text holds. */
const typedCell = (value: fc.Arbitrary<Json>): fc.Arbitrary<AnyCell> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((own) => ({ value: own })) },
    { weight: 1, arbitrary: fc.constant({ value: undefined }) },
    { weight: 1, arbitrary: phrase(1, 3).map((own) => ({ value: own })) },
    { weight: 2, arbitrary: cell.map((nodes) => ({ nodes })) },
  );

type View = (ids: string[]) => Data;
const VIEWS: readonly View[] = [
  (ids) => ({ type: 'grid', columns: ids, hideHeader: true, stickyHeader: true, stickyFirstColumn: true }),
  (ids) => ({
    type: 'grid',
    columns: ids.slice(1),
    hideHeader: false,
    columnWidths: { [ids[1] ?? '']: 120, [ids[0] ?? '']: { unit: '%', value: 50 } },
  }),
  (ids) => ({ type: 'cards', cardSize: 'medium', columns: ids }),
  (ids) => ({
    type: 'cards',
    cardSize: 'large',
    wrap: false,
    hideColumnTitle: true,
    columns: ids.slice(0, 1),
    targetDefinition: ids[1],
    coverDefinition: ids[0],
  }),
];

const tables: fc.Arbitrary<Block> = fc
  .tuple(
    fc.subarray([...TYPED], { maxLength: 3 }),
    fc.constantFrom({}, { fullWidth: true }, { search: false }),
    phrase(1, 2),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<View>((ids) => ({ type: 'grid', columns: ids, hideHeader: false })) },
      fc.constantFrom(...VIEWS),
    ),
  )
  .chain(([typed, data, title, view]) => {
    const columns = [
      { title, type: 'text', textAlignment: 'center' },
      { title: 'B', type: 'text' },
      ...typed.map(([own], i) => ({ title: `T${i}`, ...own })),
    ];
    const text = cell.map((nodes): AnyCell => ({ nodes }));
    const row = fc.tuple(text, text, ...typed.map(([, value]) => typedCell(value)));
    return fc.array(row, { minLength: 1, maxLength: 3 }).map((rows) => table(columns, rows, data, view));
  });

function table(columns: Data[], rows: AnyCell[][], data: Data, view: View): Block {
  const ids = columns.map(() => newId());
  const definition = Object.fromEntries(ids.map((id, i) => [id, { id, ...columns[i] }]));
  const fragments: Fragment[] = [];
  const valueOf = (own: AnyCell | undefined): Json | undefined => {
    if (!own || 'value' in own) return own?.value;
    const id = newId();
    fragments.push(fragment(id, own.nodes));
    return id;
  };
  const records = Object.fromEntries(
    rows.map((cells, i) => [
      newId(),
      {
        orderIndex: String(i).padStart(6, '0'),
        values: Object.fromEntries(ids.map((id, at) => [id, valueOf(cells[at])])),
      },
    ]),
  );
  return voidBlock('table', { view: view(ids), records, definition, ...data }, fragments);
}

/** Blocks of a type, and how often they are drawn among others. */
type Drawn = { weight: number; arbitrary: fc.Arbitrary<Block> };
const often = (arbitrary: fc.Arbitrary<Block>): Drawn => ({ weight: 6, arbitrary });
const seldom = (arbitrary: fc.Arbitrary<Block>): Drawn => ({ weight: 1, arbitrary });

type Level = { essentials: Block; any: Block };
type Essential = Extract<BlockType, 'paragraph' | 'divider' | `heading-${string}` | `list-${string}`>;

const { any } = fc.letrec<Level>((tie) => {
  const some = (of: fc.Arbitrary<Block>): fc.Arbitrary<Block[]> =>
    fc.array(of, { minLength: 1, maxLength: 2, depthIdentifier: 'blocks' });
  const item = (checked: boolean): fc.Arbitrary<Block> =>
    fc
      .tuple(
        fc.boolean(),
        paragraphs,
        fc.array(fc.oneof(tie('essentials'), codes, tables, images), { maxLength: 1, depthIdentifier: 'blocks' }),
      )
      .map(([done, first, rest]) => block('list-item', checked ? { checked: done } : {}, [first, ...rest]));
  const list = (type: string, data: Data = {}): fc.Arbitrary<Block> =>
    fc.array(item(type === 'list-tasks'), { minLength: 1, maxLength: 2 }).map((items) => block(type, data, items));
  const part = (type: string, data: Data): fc.Arbitrary<Block> =>
    some(tie('any')).map((nodes) => block(type, data, nodes));
  const whole = (type: string, own: fc.Arbitrary<Block>, data: Data = {}): fc.Arbitrary<Block> =>
    fc.array(own, { minLength: 1, maxLength: 2 }).map((nodes) => block(type, data, nodes));
  const essentials: { [type in Exclude<Essential, PartType>]: Drawn } = {
    paragraph: often(paragraphs),
    'heading-1': { weight: 2, arbitrary: heading('heading-1') },
    'heading-2': { weight: 2, arbitrary: heading('heading-2') },
    'heading-3': { weight: 2, arbitrary: heading('heading-3') },
    divider: often(fc.constant(voidBlock('divider', {}))),
    'list-unordered': often(list('list-unordered')),
    'list-ordered': often(list('list-ordered', { start: 3 })),
    'list-tasks': often(list('list-tasks')),
  };
  const others: { [type in Exclude<BlockType, Essential | PartType>]: Drawn } = {
    code: { weight: 12, arbitrary: fc.oneof(codes, richCode) },
    prompt: often(prompts),
    images: often(images),
    table: often(tables),
    blockquote: often(some(tie('essentials')).map((nodes) => block('blockquote', {}, nodes))),
    hint: often(some(tie('essentials')).map((nodes) => block('hint', { style: 'warning', icon: 'x' }, nodes))),
    expandable: often(
      fc
        .tuple(inlines, some(tie('essentials')))
        .map(([title, nodes]) =>
          voidBlock('expandable', {}, [
            fragment('expandable-title', [paragraph(title)]),
            fragment('expandable-body', nodes),
          ]),
        ),
    ),
    tabs: often(whole('tabs', part('tabs-item', { title: 'A "tab"', icon: 'x' }))),
    stepper: often(whole('stepper', part('stepper-step', {}))),
    columns: often(whole('columns', part('column', { width: { unit: '%', value: 50 }, verticalAlignment: 'middle' }))),
    updates: often(
      whole('updates', part('update', { date: '2026-01-31', tags: [{ kind: 'tag', tag: 'a' }] }), { format: 'full' }),
    ),
    if: often(part('if', { expression: 'visitor.claims.plan == "pro" && page.vars.x > 1' })),
    file: seldom(
      fc.tuple(name, caption).map(([file, fragments]) => voidBlock('file', { ref: { kind: 'file', file } }, fragments)),
    ),
    embed: seldom(
      fc
        .tuple(caption, fc.constantFrom({}, { fullWidth: true }))
        .map(([fragments, data]) => voidBlock('embed', { url: 'https://example.com/?a=1&b="2"', ...data }, fragments)),
    ),
    drawing: seldom(name.map((file) => voidBlock('drawing', { ref: { kind: 'file', file } }))),
    'content-ref': seldom(
      fc.tuple(ref, phrase(1, 2)).map(([target, title]) => voidBlock('content-ref', { ref: target, title })),
    ),
    math: seldom(
      fc.constantFrom('a = b\n\n- c', 'x', '\\sum_{i}\n= 2').map((formula) => voidBlock('math', { formula })),
    ),
    'reusable-content': seldom(
      name.map((id) => voidBlock('reusable-content', { ref: { kind: 'reusable-content', reusableContent: id } })),
    ),
    swagger: seldom(
      name.map((file) =>
        voidBlock('swagger', { ref: { kind: 'file', file }, path: '/a/{b}', method: 'get', expanded: true }),
      ),
    ),
    'openapi-operation': seldom(apiBlock('openapi-operation', { path: '/a', method: 'post' })),
    'openapi-schemas': seldom(apiBlock('openapi-schemas', { schemas: ['A', 'B'], grouped: false })),
    'openapi-webhook': seldom(apiBlock('openapi-webhook', { name: 'n', method: 'post', headless: true })),
    integration: seldom(
      fc
        .tuple(phrase(1, 3), fc.constantFrom(3, true, '3', { a: [1] }, 'two\nlines'))
        .map(([content, value]) =>
          voidBlock('integration', { integration: 'acme', block: 'chart', props: { content, value } }),
        ),
    ),
  };
  const nested = { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'blocks' } as const;
  return {
    essentials: fc.oneof(nested, ...Object.values(essentials)),
    any: fc.oneof(nested, { weight: 24, arbitrary: tie('essentials') }, ...Object.values(others)),
  };
});

/** Documents of every construct in the form in which markdown gives them back. */
export const documents: fc.Arbitrary<RichDocument> = fc
  .array(any, { minLength: 1, maxLength: 4 })
  .map((nodes) => validate({ object: 'document', data: {}, nodes }));

/** A document as one comparable string, without keys and generated ids. */
export const shape = (document: RichDocument): string =>
  new Signatures().all(document.nodes).replaceAll('\u0001', '\n');

/** Words of a text, markup left aside. */
export const words = (value: string): string[] => value.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];

export { runs, SEED } from '@scriptorium/toolchain/generated';
