import { describe, expect, it } from '@jest/globals';
import { changesBetween } from './changes/changes-between.js';
import { openPack, operationOf } from './slices/pack.js';
import { compiled, documentOf, packOf, specification } from './test/compiled.js';

const ok = { responses: { 200: { description: 'x' } } };
const newer = (item: object) => specification({ openapi: '3.2.0', paths: { '/a': item } });

describe('an operation that OpenAPI 3.2 brings', () => {
  const given = newer({
    query: { ...ok, operationId: 'search' },
    additionalOperations: { COPY: { ...ok, operationId: 'copy' } },
    get: ok,
  });

  it('is one like others', async () => {
    const forms = await compiled(given);
    expect(forms).toMatchObject({ operations: 3, problems: { count: 0 } });
    const pack = openPack(forms.pack.bytes);
    expect(operationOf(pack, 'QUERY', '/a')?.operation).toMatchObject({ operationId: 'search' });
    expect(operationOf(pack, 'copy', '/a')).toMatchObject({ method: 'copy', operation: { operationId: 'copy' } });
    const without = changesBetween(pack, await packOf(newer({ get: ok })));
    expect(without.map(({ change, method }) => [change, method])).toEqual([
      ['removed', 'query'],
      ['removed', 'copy'],
    ]);
  });

  it('stands in the document of 3.1 as an extension', async () => {
    const document = documentOf(await compiled(given));
    expect(document).toMatchObject({
      openapi: '3.1.1',
      paths: {
        '/a': {
          get: {},
          'x-oai-additionalOperations': { QUERY: { operationId: 'search' }, COPY: { operationId: 'copy' } },
        },
      },
    });
    expect(JSON.stringify(document)).not.toContain('"query"');
  });

  it('is in no form when it is internal', async () => {
    const hidden = { ...ok, 'x-internal': true, operationId: 'SECRET' };
    const forms = await compiled(newer({ query: hidden, additionalOperations: { COPY: hidden, SECRET: hidden } }));
    expect(forms.operations).toBe(0);
    expect(documentOf(forms)['paths']).toEqual({});
  });
});

describe('the version of a specification', () => {
  it.each([
    ['openapi: 3.1\n', 'the number 3.1', '3.1.2', 10],
    ['openapi: "3.0"\n', '"3.0"', '3.0.4', 10],
  ])('that is no text of three numbers is a problem: %j', async (line, what, written, column) => {
    const { problems, document } = await compiled(
      `${line}info: {title: a, version: "1"}\npaths: {/a: {get: {summary: 7, responses: {}}}}\n`,
    );
    expect(problems.items).toEqual([
      {
        message: `The version is ${what}. It is a text of three numbers: write "${written}", with quotes`,
        code: 'struct',
        severity: 'error',
        pointer: '/openapi',
        line: 1,
        column,
      },
      expect.objectContaining({ pointer: '/paths/~1a/get/summary', line: 3 }),
    ]);
    expect(Buffer.from(document.bytes).toString()).toMatch(/"openapi":"3\.1\.\d"/);
  });
});
