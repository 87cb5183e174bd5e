import { describe, expect, it } from '@jest/globals';
import { noComponents, type Json } from './components.js';
import { nameArms } from './name-arms.js';

const text: Json = { type: 'string' };
const object = (properties: Record<string, Json>, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
});
const literal = (value: string): Json => ({ type: 'string', const: value });
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

function namedIn(schemas: Record<string, Json>): Record<string, Json> {
  const components = { ...noComponents(), schemas };
  nameArms(components);
  return components.schemas;
}

describe('objects of which a union chooses one', () => {
  it('are components with the name of the union and the value that tells them from each other', () => {
    const [file, url] = [object({ kind: literal('file'), id: text }), object({ kind: literal('a-url'), url: text })];
    expect(namedIn({ Source: { oneOf: [file, url, { type: 'null' }] } })).toEqual({
      Source: { oneOf: [ref('SourceFile'), ref('SourceAUrl'), { type: 'null' }] },
      SourceFile: file,
      SourceAUrl: url,
    });
  });

  it('are named by what only one of them needs, where they have no such value; one may have nothing of that', () => {
    const union = { anyOf: [object({ id: text, space: text }), object({ id: text, page: text })] };
    expect(Object.keys(namedIn({ By: union }))).toEqual(['By', 'ByWithSpace', 'ByWithPage']);
    const rest = { anyOf: [object({ type: literal('x:y') }), object({ type: text })] };
    expect(Object.keys(namedIn({ Of: rest }))).toEqual(['Of', 'OfXY', 'OfOther']);
  });

  it('are named by where the union stands, in properties, lists and other objects of unions', () => {
    const inner = { oneOf: [object({ a: text }), ref('Other'), { type: 'null' }] };
    const outer = { oneOf: [object({ kind: literal('one'), inner }), object({ kind: literal('two') })] };
    expect(Object.keys(namedIn({ All: object({ list: { type: 'array', items: outer } }) }))).toEqual([
      'All',
      'AllListItemOneInner',
      'AllListItemOne',
      'AllListItemTwo',
    ]);
  });

  it('stay where they are when the name is taken by something else, or nothing tells them apart', () => {
    const union = { oneOf: [object({ kind: literal('a') }), object({ kind: literal('b') })] };
    expect(namedIn({ My: union, MyA: text })['My']).toEqual({ oneOf: [union.oneOf[0], ref('MyB')] });
    const same = { anyOf: [object({ id: text }), object({ id: { type: 'number' } })] };
    expect(namedIn({ Same: same })).toEqual({ Same: same });
  });
});
