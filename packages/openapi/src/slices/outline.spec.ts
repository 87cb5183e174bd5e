import { describe, expect, it } from '@jest/globals';
import { outlineOf } from './outline.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const modelsOf = (schemas: object) => outlineOf({ openapi: '3.1.0', paths: {}, components: { schemas } }).models;

describe('a model of the outline', () => {
  it('has the properties of all that its schema takes over, first those that it is built on', () => {
    const models = modelsOf({
      Pet: { required: ['name'], properties: { name: { type: 'string' }, kind: { type: 'string' } } },
      Cat: {
        allOf: [ref('Pet'), { required: ['lives'], properties: { lives: { type: 'integer' } } }],
        properties: { kind: { const: 'cat', description: 'Which one' } },
      },
    });
    expect(models[1]?.properties).toEqual([
      { name: 'name', type: 'string', isRequired: true, description: '' },
      { name: 'kind', type: 'any', isRequired: false, description: 'Which one' },
      { name: 'lives', type: 'integer', isRequired: true, description: '' },
    ]);
  });

  it('has each once where schemas take each other over', () => {
    const models = modelsOf({
      A: { allOf: [ref('B')], properties: { a: {} } },
      B: { allOf: [ref('A'), ref('Missing')], properties: { b: {} } },
    });
    expect(models.map(({ properties }) => properties.map(({ name }) => name))).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });
});
