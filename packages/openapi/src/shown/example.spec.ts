import { describe, expect, it } from '@jest/globals';
import { exampleOf } from './example.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

describe('an example of schemas that are put together', () => {
  const Order = {
    type: 'object',
    required: ['id', 'cb'],
    properties: { id: { type: 'integer' }, cb: text, note: text },
    example: { id: 7, note: 'jam' },
  };

  it('has what all of them require, beside the example of one', () => {
    const url = { required: ['url'], properties: { url: { type: 'string', example: 'https://x.example' } } };
    expect(exampleOf({ allOf: [ref('Order'), url] }, { Order }, 'request')).toEqual({
      ...{ id: 7, note: 'jam', cb: 'string', url: 'https://x.example' },
    });
    const { example, ...plain } = Order;
    const listed = { ...plain, examples: [example] };
    expect(exampleOf({ allOf: [ref('Order'), { required: ['cb', 'more'] }] }, { Order: listed }, 'request')).toEqual({
      ...{ id: 7, note: 'jam', cb: 'string', more: null },
    });
  });

  it('has the newest of two examples, and is that of the whole where there is one', () => {
    const later = { example: { id: 8 } };
    expect(exampleOf({ allOf: [ref('Order'), later] }, { Order }, 'request')).toMatchObject({ id: 8, note: 'jam' });
    expect(exampleOf({ allOf: [ref('Order')], example: { id: 9 } }, { Order }, 'request')).toEqual({ id: 9 });
  });

  it('is that of a part which is no object', () => {
    const Status = { type: 'string', example: 'open' };
    expect(exampleOf({ allOf: [ref('Status'), { description: 'x' }] }, { Status }, 'request')).toBe('open');
  });
});

describe('an example with a discriminator', () => {
  const Cat = { type: 'object', properties: { kind: text, lives: { type: 'integer' } } };
  const choice = (discriminator: object) => ({ oneOf: [ref('Cat'), ref('Dog')], discriminator });

  it('has the name of the schema, or the value that is mapped to it', () => {
    const named = choice({ propertyName: 'kind' });
    expect(exampleOf(named, { Cat }, 'request')).toEqual({ kind: 'Cat', lives: 0 });
    const without = { Cat: { type: 'object', properties: {} } };
    expect(exampleOf(named, without, 'request')).toEqual({ kind: 'Cat' });
    for (const to of ['Cat', '#/components/schemas/Cat'])
      expect(exampleOf(choice({ propertyName: 'kind', mapping: { cat: to } }), { Cat }, 'request')).toMatchObject({
        kind: 'cat',
      });
  });

  it('has what the option says of the property itself', () => {
    const own = { type: 'object', properties: { kind: { const: 'c' } } };
    expect(exampleOf(choice({ propertyName: 'kind' }), { Cat: own }, 'request')).toEqual({ kind: 'c' });
  });

  it('has the name of a schema that has the one with the discriminator as a part', () => {
    const Pet = { type: 'object', discriminator: { propertyName: 'kind' }, properties: { kind: text } };
    const Dog = { allOf: [ref('Pet'), { properties: { barks: { type: 'boolean' } } }] };
    expect(exampleOf(ref('Dog'), { Pet, Dog }, 'request')).toEqual({ kind: 'Dog', barks: true });
  });
});
