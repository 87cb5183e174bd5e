import { describe, expect, it } from '@jest/globals';
import { compileExpression, MERGE_RULE_VARIABLES } from './compile.js';

const paths = (source: string) =>
  compileExpression(source, { variables: ['visitor', 'page', 'space'] }).references.map(({ path }) => path.join('.'));

describe('references', () => {
  it.each<[string, readonly string[]]>([
    ['1', []],
    ['', []],
    ['visitor', ['visitor']],
    ['visitor.claims.plan == "pro" && visitor.claims.beta', ['visitor.claims.plan', 'visitor.claims.beta']],
    ['visitor?.claims?.["org"].tier', ['visitor.claims.org.tier']],
    ['(visitor.claims).plan', ['visitor.claims.plan']],
    ['(visitor?.claims).plan', ['visitor.claims.plan']],
    ['visitor.claims[page.vars.name].deep', ['visitor.claims', 'page.vars.name']],
    ['visitor.claims.groups[0]', ['visitor.claims.groups']],
    ['visitor.claims.groups.some(group => group.x == page.vars.group)', ['visitor.claims.groups', 'page.vars.group']],
    ['[visitor.claims.a].map(visitor => visitor.claims.b)', ['visitor.claims.a']],
    [
      'visitor.claims.plan.startsWith(page.vars.a, space.vars.b)',
      ['visitor.claims.plan', 'page.vars.a', 'space.vars.b'],
    ],
    ['(visitor ? visitor.claims : page).x', ['visitor', 'visitor.claims', 'page']],
    ['`${visitor.type}${page.vars.a}`', ['visitor.type', 'page.vars.a']],
    ['[visitor.type, ...[page]]', ['visitor.type', 'page']],
    ['{ a: visitor.type, [page.vars.key]: space }', ['visitor.type', 'page.vars.key', 'space']],
    ['!visitor.a ?? -page.b', ['visitor.a', 'page.b']],
    ['"plan" in visitor.claims', ['visitor.claims']],
    ['"plan" in ["a"].filter(a => a == visitor.type)', ['visitor.type']],
  ])('%s', (source, expected) => expect(paths(source)).toEqual(expected));

  it('have the position of the whole access', () => {
    expect(compileExpression('1 < reviews?.length', { variables: MERGE_RULE_VARIABLES }).references).toEqual([
      { path: ['reviews', 'length'], start: 4, end: 19 },
    ]);
  });
});
