import { describe, expect, it } from '@jest/globals';
import { Script } from 'node:vm';
import { operationOf, type OperationSlice } from '../slices/pack.js';
import { packOf, specification } from '../test/compiled.js';
import { snippetsOf } from './snippets.js';

async function sliceOf(operation: object, schemas: object = {}, path = '/orders'): Promise<OperationSlice> {
  const paths = { [path]: { post: { responses: {}, ...operation } } };
  const pack = await packOf(specification({ paths, components: { schemas } }));
  const slice = operationOf(pack, 'POST', path);
  if (slice === null) throw new Error('There is no such operation');
  return slice;
}
const samplesOf = async (operation: object, schemas: object = {}, path?: string) => {
  const snippets = snippetsOf(await sliceOf(operation, schemas, path));
  return Object.fromEntries(snippets.map(({ label, code }) => [label, code]));
};
const content = (type: string, media: object) => ({ requestBody: { content: { [type]: media } } });
const properties = (given: object) => ({ schema: { type: 'object', properties: given } });
const text = (example: string) => ({ type: 'string', example });

describe('a form of several parts', () => {
  const media = properties({
    photo: { type: 'string', format: 'binary' },
    scans: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
    tags: { type: 'array', items: { type: 'string' }, example: ['a', 'b'] },
    note: text('@x; "y"'),
    about: { $ref: '#/components/schemas/About' },
  });
  const form = content('multipart/form-data', {
    ...media,
    encoding: { photo: { contentType: 'image/png' }, scans: { contentType: 'image/*' } },
  });
  const About = { type: 'object', properties: { name: text("it's") } };

  it('has files and fields in curl, and no type without its boundary', async () => {
    const { curl } = await samplesOf(form, { About });
    expect(curl).toBe(
      [
        "curl --request POST 'https://api.example.com/orders'",
        "--form 'photo=@file;type=image/png'",
        "--form 'scans=@file'",
        "--form 'tags=a'",
        "--form 'tags=b'",
        String.raw`--form 'note="@x; \"y\""'`,
        String.raw`--form 'about="{\"name\":\"it'\''s\"}";type=application/json'`,
      ].join(' \\\n  '),
    );
  });

  it('has them in JavaScript, Python and Go', async () => {
    const { JavaScript = '', Python = '', Go = '' } = await samplesOf(form, { About });
    expect(() => new Script(`async () => { ${JavaScript} }`)).not.toThrow();
    expect(JavaScript).toContain('form.append("photo", new File(["content"], "file", { type: "image/png" }));');
    expect(JavaScript).toContain('form.append("tags", "b");');
    expect(JavaScript).toContain('body: form,');
    expect(Python).toContain('("photo", ("file", open("file", "rb"), "image/png")),');
    expect(Python).toContain('("tags", (None, "b")),');
    expect(Go).toContain('form.CreateFormFile("scans", "file")');
    expect(Go).toContain('form.WriteField("tags", "b")');
    expect(Go).toContain('request.Header.Set("Content-Type", form.FormDataContentType())');
    for (const code of [JavaScript, Python, Go]) expect(code).not.toContain('multipart/form-data');
  });
});

describe('a body that is no JSON', () => {
  it('is XML as its schema says', async () => {
    const Order = {
      type: 'object',
      xml: { name: 'order', namespace: 'urn:shop', prefix: 's' },
      properties: {
        id: { type: 'integer', xml: { attribute: true }, example: 7 },
        name: text('a & b'),
        tags: { type: 'array', xml: { wrapped: true }, items: { ...text('x'), xml: { name: 'tag' } } },
        codes: { type: 'array', items: { type: 'string' }, example: ['1', '2'] },
      },
    };
    const { curl } = await samplesOf(content('application/xml', { schema: { $ref: '#/components/schemas/Order' } }), {
      Order,
    });
    expect(curl).toContain(
      [
        `--data '<?xml version="1.0" encoding="UTF-8"?>`,
        '<s:order xmlns:s="urn:shop" id="7">',
        '  <name>a &amp; b</name>',
        '  <tags>\n    <tag>x</tag>\n  </tags>',
        '  <codes>1</codes>\n  <codes>2</codes>',
        "</s:order>'",
      ].join('\n'),
    );
  });

  it.each([
    ['text/plain', {}, "--data 'string'"],
    ['text/csv', { example: 'a,b' }, "--data 'a,b'"],
    ['text/plain', { example: '@home' }, "--data-raw '@home'"],
    ['application/yaml', properties({ a: text('b') }), `--data '{\n  "a": "b"\n}'`],
    ['application/octet-stream', { schema: { type: 'string', format: 'binary' } }, "--data-binary '@file'"],
    ['image/png', {}, "--data-binary '@file'"],
    [
      'application/x-www-form-urlencoded',
      properties({ tags: { type: 'array', items: { type: 'string' }, example: ['a', 'b c'] }, n: { example: 1 } }),
      "--data 'tags=a&tags=b%20c&n=1'",
    ],
    [
      'application/x-www-form-urlencoded',
      { ...properties({ tags: { example: ['a', 'b'] } }), encoding: { tags: { explode: false } } },
      "--data 'tags=a,b'",
    ],
  ])('of the type %s with %j is %s', async (type, media, expected) => {
    const { curl } = await samplesOf(content(type, media));
    expect(curl).toContain(`Content-Type: ${type}' \\\n  ${expected}`);
  });
});

describe('required parameters', () => {
  const parameter = (name: string, place: string, example: unknown, more: object = {}) => ({
    ...{ name, in: place, required: true, schema: {}, example },
    ...more,
  });
  it.each([
    ['tags', ['a', 'b'], {}, 'tags=a&tags=b'],
    ['tags', ['a', 'b'], { explode: false }, 'tags=a,b'],
    ['tags', ['a', 'b'], { style: 'pipeDelimited' }, 'tags=a%7Cb'],
    ['by', { from: 1, to: 2 }, { style: 'deepObject', explode: true }, 'by%5Bfrom%5D=1&by%5Bto%5D=2'],
    ['by', { from: 1, to: 2 }, {}, 'from=1&to=2'],
    ['by', { from: 1, to: 2 }, { explode: false }, 'by=from,1,to,2'],
  ])('of the query named %s with %j and %j are sent as %s', async (name, example, more, expected) => {
    const { curl } = await samplesOf({ parameters: [parameter(name, 'query', example, more)] });
    expect(curl).toBe(`curl --request POST 'https://api.example.com/orders?${expected}'`);
  });

  it.each([
    ['a b', {}, 'a%20b'],
    [['a', 'b'], {}, 'a,b'],
    [{ from: 1, to: 2 }, { explode: true }, 'from=1,to=2'],
    [5, { style: 'label' }, '.5'],
    [['a', 'b'], { style: 'label', explode: true }, '.a.b'],
    [{ from: 1, to: 2 }, { style: 'label' }, '.from,1,to,2'],
    [5, { style: 'matrix' }, ';by=5'],
    [['a', 'b'], { style: 'matrix' }, ';by=a,b'],
    [['a', 'b'], { style: 'matrix', explode: true }, ';by=a;by=b'],
    [{ from: 1, to: 2 }, { style: 'matrix' }, ';by=from,1,to,2'],
    [{ from: 1, to: 2 }, { style: 'matrix', explode: true }, ';from=1;to=2'],
    [undefined, { style: 'matrix' }, ';by={by}'],
    ['', {}, '{by}'],
  ])('of the path with %j and %j stand in the URL as %s', async (example, more, expected) => {
    const { curl } = await samplesOf({ parameters: [parameter('by', 'path', example, more)] }, {}, '/orders/{by}');
    expect(curl).toBe(`curl --request POST 'https://api.example.com/orders/${expected}'`);
  });

  it('of a content are sent as it says', async () => {
    const media = { 'application/json': { example: { a: 1 } } };
    const given = { name: 'q', in: 'query', required: true, content: media };
    const { curl } = await samplesOf({ parameters: [given] });
    expect(curl).toContain('?q=%7B%22a%22%3A1%7D');
  });

  it('of headers and cookies are sent as headers', async () => {
    const { curl } = await samplesOf({
      parameters: [
        parameter('X-Ids', 'header', [1, 2]),
        parameter('session', 'cookie', 'a b'),
        parameter('lang', 'cookie', 'en'),
      ],
    });
    expect(curl).toContain("--header 'X-Ids: 1,2' \\\n  --header 'Cookie: session=a%20b; lang=en'");
  });
});
