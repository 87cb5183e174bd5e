import { describe, expect, it } from '@jest/globals';
import { block, fragment, inline, paragraph, text, voidBlock, voidInline } from '../model/build.js';
import { type Block, type Inline, type Json, type RichDocument } from '../model/types.js';
import { show } from '../test/show.js';
import { evaluate, type Compiled, type EvaluateOptions } from './evaluate.js';

/** An engine of names: `claims.x`, `space.x` and `page.x` say what they name, everything else is a syntax error. */
const compile = (source: string): Compiled => {
  const [where, name = ''] = source.split('.');
  if (where !== 'claims' && where !== 'space' && where !== 'page') throw new SyntaxError(source);
  return {
    evaluate: ({ visitor, space, page }) =>
      ({ claims: visitor.claims, space: space.vars, page: page.vars })[where][name],
    deterministic: where !== 'claims',
  };
};

const condition = (expression: Json | undefined, ...nodes: Block[]): Block =>
  block('if', expression === undefined ? {} : { expression }, nodes);
const expression = (source: Json): Inline => voidInline('expression', { expression: source });
const shown = (options: Partial<EvaluateOptions>, ...nodes: Block[]): string[] =>
  evaluate({ object: 'document', data: {}, nodes }, { compile, ...options }).nodes.map(show);
const says = (value: unknown): string[] =>
  shown({ compile: () => ({ evaluate: () => value, deterministic: true }) }, paragraph([expression('x')]));

const inner = paragraph([text('inner')]);
const INNER = ['paragraph("inner")'];

describe('the conditions of a document', () => {
  it.each<[unknown, string[]]>([
    [true, INNER],
    [false, []],
    ['text', INNER],
    [0, []],
    [undefined, []],
  ])('that are %j show or hide what they hold', (value, expected) => {
    expect(shown({ claims: { pro: value as Json } }, condition('claims.pro', inner))).toEqual(expected);
  });

  it.each<[Json | undefined, string[]]>([
    ['', INNER],
    [' \n', INNER],
    [undefined, INNER],
    [3, INNER],
    ['bad', []],
  ])('written as %j count by rule', (source, expected) => {
    expect(shown({}, condition(source, inner))).toEqual(expected);
  });

  it('can ask whether a person reads or a program', () => {
    const engine = (source: string): Compiled => ({
      evaluate: ({ visitor }) => visitor.type === source,
      deterministic: true,
    });
    const both = [condition('human', inner), condition('agent', paragraph([text('by machines')]))];
    expect(shown({ compile: engine }, ...both)).toEqual(INNER);
    expect(shown({ compile: engine, visitorType: 'agent' }, ...both)).toEqual(['paragraph("by machines")']);
  });

  it('are false when they fail', () => {
    const throwing = (): Compiled => ({
      evaluate: () => {
        throw new TypeError('of undefined');
      },
      deterministic: true,
    });
    expect(shown({ compile: throwing }, condition('x', inner))).toEqual([]);
  });

  it('may hold nothing, and stand in each other and anywhere else', () => {
    expect(
      shown(
        { claims: { pro: true } },
        { object: 'block', type: 'if', isVoid: false, data: { expression: 'claims.pro' } },
      ),
    ).toEqual([]);
    const nested = condition('claims.pro', condition('claims.pro', inner), condition('claims.other', inner));
    const body = voidBlock('expandable', {}, [
      fragment('expandable-title', [inner]),
      fragment('expandable-body', [nested]),
    ]);
    expect(shown({ claims: { pro: true } }, nested, block('hint', {}, [nested]), body)).toEqual([
      ...INNER,
      `hint(${INNER[0]})`,
      `expandable(#expandable-title(${INNER[0]}) #expandable-body(${INNER[0]}))`,
    ]);
  });
});

describe('the expressions of a document', () => {
  it('read claims and variables', () => {
    const all = paragraph([expression('claims.name'), expression('space.name'), expression('page.name')]);
    expect(
      shown({ claims: { name: 'Ada' }, variables: { space: { name: 'Docs' }, page: { name: 'Start' } } }, all),
    ).toEqual(['paragraph("Ada" "Docs" "Start")']);
    expect(shown({}, all)).toEqual(['paragraph("" "" "")']);
  });

  it.each<[unknown, string]>([
    ['a', 'a'],
    [3, '3'],
    [0, '0'],
    [true, 'true'],
    [false, ''],
    [null, ''],
    [undefined, ''],
    [[1, 'b'], '[1,"b"]'],
    [{ a: 1 }, '{"a":1}'],
  ])('show %j as text', (value, expected) => {
    expect(says(value)).toEqual([`paragraph(${show(text(expected))})`]);
  });

  it('are empty when they are, or fail', () =>
    expect(shown({}, paragraph([expression(' '), expression('bad')]))).toEqual(['paragraph("" "")']));

  it('keep their keys, and stand inside links and notes too', () => {
    const note: Inline = {
      ...inline('annotation', {}, [expression('claims.a')]),
      fragments: [fragment('annotation-body', [paragraph([expression('claims.a')])])],
    };
    expect(shown({ claims: { a: 'x' } }, paragraph([inline('link', {}, [expression('claims.a')]), note]))).toEqual([
      'paragraph(link("x") annotation("x" #annotation-body(paragraph("x"))))',
    ]);
    const document: RichDocument = {
      object: 'document',
      data: {},
      nodes: [paragraph([{ ...expression('claims.a'), key: 'k' }, expression('claims.a')])],
    };
    expect(evaluate(document, { compile, claims: { a: 'x' } }).nodes[0]?.nodes).toEqual([
      { ...text('x'), key: 'k' },
      text('x'),
    ]);
  });

  it('are computed once each', () => {
    const asked: string[] = [];
    const counting = (source: string): Compiled => (asked.push(source), compile(source));
    shown(
      { compile: counting },
      paragraph([expression('page.a'), expression('page.b'), expression('page.a')]),
      condition('page.a'),
    );
    expect(asked).toEqual(['page.a', 'page.b']);
  });
});

describe('what is not deterministic', () => {
  const nodes = [
    condition('claims.a', paragraph([expression('claims.a'), expression('page.a')])),
    condition('page.a', inner),
  ];
  const given = { claims: { a: 'claim' }, variables: { page: { a: 'variable' } } };

  it('is left when asked, what it holds evaluated', () => {
    expect(shown({ ...given, mode: 'deterministic-only' }, ...nodes)).toEqual([
      'if{"expression":"claims.a"}(paragraph(expression{"expression":"claims.a"}() "variable"))',
      ...INNER,
    ]);
  });

  it('is evaluated otherwise', () =>
    expect(shown({ ...given, mode: 'all' }, ...nodes)).toEqual(['paragraph("claim" "variable")', ...INNER]));
});

describe('everything else of a document', () => {
  it('stays as it is', () => {
    const document: RichDocument = {
      object: 'document',
      data: { schemaVersion: 10 },
      nodes: [{ ...inner, key: 'a' }, voidBlock('divider', {}), paragraph([voidInline('icon', { icon: 'x' })])],
      meta: { token: 't' },
    };
    expect(evaluate(document, { compile })).toEqual(document);
  });
});
