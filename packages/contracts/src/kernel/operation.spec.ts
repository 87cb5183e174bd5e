import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { callOperation, type CallOf } from '../client/client.js';
import { openApiDocument } from '../openapi/openapi.js';
import { resolved } from '../test/resolved.js';
import { openApiProblems } from '../test/openapi-problems.js';
import { operation, type Operation } from './operation.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const base = { service: 'content', tag: 'Spec', summary: 'x', access } as const;
const params = z.object({ organizationId: z.string() });

const search = operation({
  ...base,
  id: 'searchThings',
  method: 'POST',
  kind: 'read',
  path: '/orgs/{organizationId}/things/search',
  params,
  body: z.object({ words: z.string() }),
  response: z.object({ found: z.int() }),
});
const listImports = operation({
  ...base,
  id: 'listImports',
  method: 'GET',
  path: '/orgs/{organizationId}/imports',
  aliases: ['/org/{organizationId}/imports'],
  params,
  response: z.object({ items: z.array(z.string()) }),
});
const getPlainText = operation({
  ...base,
  id: 'getPlainText',
  method: 'GET',
  path: '/text',
  produces: 'text/markdown',
  response: z.string(),
});

/** The entry of an operation in the OpenAPI document. */
interface Entry {
  operationId: string;
  description: string;
  parameters: ({ name: string } | { $ref: string })[];
  responses: Record<string, { description: string; headers?: object; content?: object } | { $ref: string }>;
  'x-alias-of'?: string;
}
const document = openApiDocument([search, listImports, getPlainText], {
  serverUrl: 'https://docs.example',
  version: '1.0.0',
});
const entry = (path: string, method: string): Entry =>
  (document['paths'] as Record<string, Record<string, Entry>>)[path]?.[method] as Entry;

/** A client call, with the request that it sent. */
async function called<O extends Operation>(op: O, call: CallOf<O>, answer: string) {
  let sent: { url: string; init: RequestInit } | undefined;
  const fake = (url: unknown, init: RequestInit = {}) => {
    sent = { url: String(url), init };
    return Promise.resolve(new Response(answer));
  };
  const result = await callOperation({ endpoint: 'https://docs.example', fetch: fake }, op, call);
  return { result, sent };
}

describe('a read by POST', () => {
  it('has no dry run and no idempotency key, and no conflicts', () => {
    expect([search.kind, search.dryRun]).toEqual(['read', false]);
    const { parameters, responses } = entry('/v1/orgs/{organizationId}/things/search', 'post');
    expect(parameters.map((one) => resolved(document, one).name)).toEqual([
      'organizationId',
      'Scriptorium-After',
      'Prefer',
    ]);
    expect(responses['409']).toBeUndefined();
  });

  it('has no entity tag, because its answer is never stored', () => {
    const { responses } = entry('/v1/orgs/{organizationId}/things/search', 'post');
    expect(responses['200']).not.toHaveProperty('headers.ETag');
    expect(responses['304']).toBeUndefined();
  });

  it.each([
    ['PUT', 'read', 'only a GET or a POST can be a read'],
    ['GET', 'write', 'a GET is a read'],
  ] as const)('cannot be a %s that is a %s', (method, kind, rule) => {
    expect(() => operation({ ...base, id: 'wrong', method, kind, path: '/x' })).toThrow(`Operation wrong: ${rule}`);
  });

  it('cannot have a dry run', () => {
    const declared = { ...base, id: 'wrong', method: 'POST', kind: 'read', path: '/x', dryRun: true } as const;
    expect(() => operation(declared)).toThrow('Operation wrong: a read has no dry run');
  });
});

describe('an operation with an alias', () => {
  it('is in the document under both paths, each with its own id', async () => {
    expect(entry('/v1/orgs/{organizationId}/imports', 'get').operationId).toBe('listImports');
    const alias = entry('/v1/org/{organizationId}/imports', 'get');
    expect([alias.operationId, alias['x-alias-of']]).toEqual(['listImportsAlias1', 'listImports']);
    expect(await openApiProblems(document)).toEqual([]);
  });

  it('is called by clients at its main path', async () => {
    const { sent } = await called(listImports, { params: { organizationId: 'o' } }, '{"items":[]}');
    expect(sent?.url).toBe('https://docs.example/v1/orgs/o/imports');
  });

  it('must have the parameters of the path in the alias', () => {
    const declared = { ...base, id: 'wrong', method: 'GET', path: '/x/{id}', aliases: ['/y/{other}'] } as const;
    expect(() => operation(declared)).toThrow('Operation wrong: an alias has the parameters of the path');
  });
});

describe('an operation with a parameter for the rest of its path', () => {
  const placed = { ...base, method: 'GET', params: z.object({ place: z.string() }), response: z.object({}) } as const;
  const readPath = operation({ ...placed, id: 'readPath', path: '/path/{place}', rest: 'place' });

  it('is called by clients with encoded slashes, so that no part of it can lead to another operation', async () => {
    const { sent } = await called(readPath, { params: { place: '../a/b' } }, '{}');
    expect(sent?.url).toBe('https://docs.example/v1/path/..%2Fa%2Fb');
  });

  it.each([
    ['/{place}/path', []],
    ['/path/{place}', ['/{place}/path']],
    ['/path', []],
  ])('must have it at the end of %s and of %j', (path, aliases) => {
    expect(() => operation({ ...placed, id: 'wrong', path, aliases, rest: 'place' })).toThrow('Operation wrong: ');
  });
});

describe('a text', () => {
  it.each(['text/plain', 'text/markdown', 'application/xml', 'application/atom+xml'] as const)(
    'of type %s is in the document, and a client gets it as it is',
    async (produces) => {
      const op = operation({ ...base, id: 'getIt', method: 'GET', path: '/it', produces, response: z.string() });
      const { paths } = openApiDocument([op], { serverUrl: 'https://docs.example', version: '1.0.0' });
      const { responses } = (paths as Record<string, Record<string, Entry>>)['/v1/it']?.['get'] as Entry;
      expect(responses['200']).toHaveProperty(['content', produces], { schema: { type: 'string' } });
      const { result, sent } = await called(op, {}, '{"not": parsed}');
      expect([result, (sent?.init.headers as Record<string, string>)['accept']]).toEqual(['{"not": parsed}', produces]);
    },
  );

  it('must be a string', () => {
    const declared = { ...base, id: 'wrong', method: 'GET', path: '/x', produces: 'text/plain' } as const;
    expect(() => operation({ ...declared, response: z.object({}) })).toThrow('the response of a text is a string');
    expect(() => operation(declared)).toThrow('the response of a text is a string');
  });

  it('is never HTML', () => {
    const declared = { ...base, id: 'wrong', method: 'GET', path: '/x', produces: 'text/html' } as const;
    expect(() => operation({ ...declared, response: z.string() })).toThrow('an answer is never a page');
  });
});
