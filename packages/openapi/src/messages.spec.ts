import { describe, expect, it } from '@jest/globals';
import { compile } from './compile.js';
import { compiled, specification } from './test/compiled.js';

const refusalOf = async (text: string) => {
  const result = await compile(text);
  if (result.isReadable) throw new Error('It was read');
  return result.problems.items[0];
};

describe('a reference to what is missing', () => {
  const location = 'https://api.example/v1/openapi.yaml';
  const others = new Map([
    ['https://api.example/v1/pets.yaml', 'components:\n  schemas:\n    Cat: {type: string}\n'],
    [
      'https://api.example/v1/alias.yaml',
      'Dog:\n  $ref: "pets.yaml#/components/schemas/Dog"\nAll:\n  $ref: "pets.yaml"\n',
    ],
    ['https://user:SECRET@api.example/keys.yaml?key=SECRET', 'a: 1\n'],
    ['https://api.example/v1/broken.yaml', 'a: ['],
  ]);
  const messagesOf = async (ref: string) => {
    const schemas = { Pet: { $ref: ref }, Own: { type: 'object' } };
    const { problems } = await compiled(specification({ components: { schemas } }), { location, others });
    return problems.items.map(({ message, pointer }) => [pointer, message]);
  };

  it.each([
    ['in another document', 'pets.yaml#/components/schemas/Dog', 'pets.yaml has no /components/schemas/Dog'],
    ['behind another reference', 'alias.yaml#/Dog', 'pets.yaml has no /components/schemas/Dog'],
    ['within another reference', 'alias.yaml#/All/components/x', 'pets.yaml has no /components/x'],
    ['in the document itself', '#/components/schemas/Dog', 'this document has no /components/schemas/Dog'],
    ['in it by its address', 'openapi.yaml#/components/schemas/Dog', 'this document has no /components/schemas/Dog'],
    [
      'in a document whose address is secret',
      'https://user:SECRET@api.example/keys.yaml?key=SECRET#/x',
      'https://api.example/keys.yaml has no /x',
    ],
  ])('says what is missing %s', async (_where, ref, message) => {
    expect(await messagesOf(ref)).toEqual([['/components/schemas/Pet', `Can't resolve $ref: ${message}`]]);
  });

  it('says when a document was not loaded or cannot be read', async () => {
    expect(await messagesOf('gone.yaml#/x')).toEqual([
      ['/components/schemas/Pet', expect.stringContaining('was not loaded')],
    ]);
    expect(await messagesOf('broken.yaml#/x')).toEqual([['/components/schemas/Pet', expect.stringContaining('YAML')]]);
    expect(await messagesOf('pets.yaml#/components/schemas/Cat')).toEqual([]);
  });

  it('is no name of a schema in a discriminator, unless there is none', async () => {
    const Cat = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
    const mapping = { c: 'Gone', d: '#/components/schemas/Gone', a: 'Cat', b: '#/components/schemas/Cat' };
    const Pet = { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind', mapping } };
    const { problems } = await compiled(specification({ components: { schemas: { Pet, Cat } } }));
    const message = "Can't resolve $ref: this document has no /components/schemas/Gone";
    expect(problems.items.map((one) => [one.pointer?.slice(-2), one.message])).toEqual([
      ['/c', message],
      ['/d', message],
    ]);
  });
});

describe('a text that cannot be read', () => {
  const bomb = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);

  it.each<[what: string, text: string, message: RegExp, place: { line: number; column: number }]>([
    ['an HTML page', '\n<!DOCTYPE html>\n<html></html>', /it is an HTML page/, { line: 2, column: 1 }],
    ['an HTML page that is no YAML', '<html>\n<title>a: b</title>\n: [', /it is an HTML page/, { line: 1, column: 1 }],
    ['XML', '<?xml version="1.0"?>\n<a>b</a>', /it is XML/, { line: 1, column: 1 }],
    ['a text', 'hello', /it is a text/, { line: 1, column: 1 }],
    ['a list', '\n- a', /it is a list/, { line: 2, column: 1 }],
    ['a number', '42', /it is a number/, { line: 1, column: 1 }],
    ['two documents', '# c\n---\nopenapi: 3.1.0\n---\na: 1\n', /a second document/, { line: 4, column: 1 }],
    ['two documents without a first mark', 'a: 1\n--- # b\nb: 1\n', /a second document/, { line: 2, column: 1 }],
    [
      'much nesting in JSON',
      `{"a":\n${'['.repeat(300)}${']'.repeat(300)}}`,
      /deeper than 256/,
      { line: 2, column: 256 },
    ],
    ['much nesting in YAML', `a:\n  ${'['.repeat(300)}${']'.repeat(300)}`, /nesting/, { line: 2, column: 257 }],
    ['an alias in itself', 'openapi: 3.1.0\na: &a\n  x: *a', /alias/, { line: 3, column: 3 }],
    ['aliases of aliases', `openapi: 3.1.0\nl0: &l0 [x]\n${bomb.join('\n')}`, /too complex/, { line: 9, column: 27 }],
  ])('says what it is, and its line: %s', async (_what, text, message, place) => {
    const refusal = await refusalOf(text);
    expect(refusal).toMatchObject(place);
    expect(refusal?.message).toMatch(message);
  });
});

describe('a member that is called __proto__', () => {
  it.each([
    ['JSON', '{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{},\n"x-a":{"__proto__":1}}', 2],
    ['YAML', 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}\nx-a:\n  __proto__: 1\n', 5],
  ])('is a problem with its line in %s', async (_format, text, line) => {
    const { problems } = await compiled(text);
    expect(problems.items).toEqual([
      expect.objectContaining({ message: 'A member that is called __proto__ is left out', line }),
    ]);
  });
});
