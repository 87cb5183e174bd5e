import { describe, expect, it } from '@jest/globals';
import { schemasToMarkdown } from './markdown.js';
import { sentencesOfBlocks } from './markdown-of-blocks.js';
import { typeWords } from './schema-words.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a schema as markdown', () => {
  it('has the properties of its parts', () => {
    const Base = { required: ['id'], properties: { id: { type: 'string', description: 'Its name.' } } };
    const Order = { allOf: [ref('Base'), { properties: { state: ref('State') } }] };
    const State = { type: 'string', enum: ['new', 'a|b'], default: 'new' };
    expect(schemasToMarkdown(['Order', 'State'], { Base, Order, State })).toBe(
      [
        '### Order',
        [
          '| Name | Type | Description |',
          '| --- | --- | --- |',
          '| `id` | string, required | Its name. |',
          '| `state` | State | One of `new`, `a\\|b`. By default `new`. |',
        ].join('\n'),
        '### State',
        'string',
        'One of `new`, `a|b`. By default `new`.\n',
      ].join('\n\n'),
    );
  });

  it('has its choices, and what is always the same', () => {
    const Pet = { oneOf: [ref('Cat'), ref('Dog')], properties: { kind: { const: 'pet' } } };
    expect(schemasToMarkdown(['Pet'], { Pet })).toMatch(
      /^### Pet\n\nCat or Dog\n\n[^]*\| `kind` \| any \| Always `pet`\. \|/,
    );
  });

  it.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ type: 'array', items: { oneOf: [ref('Cat'), ref('Dog')] } }, '(Cat or Dog)[]'],
    [{ allOf: [ref('Cat'), { description: 'x' }] }, 'Cat'],
    [{ type: 'array', items: ref('Cat') }, 'Cat[]'],
    [null, 'any'],
  ])('of %j is in words %s', (schema, words) => expect(typeWords(schema)).toBe(words));
});

describe('a block of what is not there', () => {
  it.each([
    [{ method: 'get', path: '/gone', resolved: null }, '`GET /gone` is not available.\n'],
    [{ name: 'made', resolved: null }, '`made` is not available.\n'],
    [{ schemas: ['A', 'B'], resolved: null }, '`A, B` is not available.\n'],
    [{ method: 'get', path: '/x', resolved: { truncated: true } }, '`GET /x` is left out: the page is too large.\n'],
    [{ resolved: null }, 'This part of the API is not available.\n'],
    [{ method: 'get', path: '/x' }, null],
  ])('with %j is %j', (data, text) => {
    const blocks = [{ type: 'openapi-operation', data }];
    expect(sentencesOfBlocks(blocks)).toEqual([text]);
    expect(sentencesOfBlocks(blocks, { isComplete: true })[0]).toMatch(/\.\n$/);
  });
});
