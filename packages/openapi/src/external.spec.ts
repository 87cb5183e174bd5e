import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { externalReferences } from './documents/external-references.js';
import { compiled, documentOf, specification } from './test/compiled.js';

const schemaOf = (name: string, ref: string) => specification({ components: { schemas: { [name]: { $ref: ref } } } });

describe('references to other documents', () => {
  let server: Server;
  let origin = '';
  let connections = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('{}')).on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['of the web', () => `${origin}/external.yaml#/Pet`],
    ['of the machine', () => '/etc/passwd'],
    ['of the machine by URL', () => 'file:///etc/passwd'],
    ['beside it', () => '../../../../etc/hostname#/x'],
  ])('%s are problems, and nothing is read or connected to', async (_where, ref) => {
    const { problems, ...rest } = await compiled(schemaOf('Pet', ref()));
    expect(problems.items).toEqual([expect.objectContaining({ code: 'no-unresolved-refs', line: 1 })]);
    expect(documentOf({ problems, ...rest })).toMatchObject({ components: { schemas: { Pet: { $ref: ref() } } } });
    expect(connections).toBe(0);
  });

  it('are named as URLs, seen from where the text came from', () => {
    const text = JSON.stringify({
      a: [{ $ref: './pets.yaml#/Pet' }, { $ref: 'https://other.example/x.json' }, { $ref: '#/a' }],
      b: [{ $ref: 'file:///etc/passwd' }, { $ref: './pets.yaml#/Cat' }, { $ref: 'openapi.yaml#/a' }],
    });
    expect(externalReferences(text, 'https://api.example/v1/openapi.yaml')).toEqual([
      'https://api.example/v1/pets.yaml',
      'https://other.example/x.json',
    ]);
    expect(externalReferences(text, null)).toEqual(['https://other.example/x.json']);
    expect(externalReferences('{', null)).toEqual([]);
  });

  it('are written into the one document when they are given', async () => {
    const location = 'https://api.example/v1/openapi.yaml';
    const others = new Map([
      [
        'https://api.example/v1/pets.yaml',
        'Pet:\n  type: object\n  properties:\n    owner: {$ref: "people.yaml#/Person"}\n',
      ],
      ['https://api.example/v1/people.yaml', 'Person:\n  type: object\n  description: A person.\n'],
    ]);
    const given = specification({
      paths: {
        '/pets': {
          get: {
            responses: {
              200: { description: 'x', content: { 'application/json': { schema: { $ref: 'pets.yaml#/Pet' } } } },
            },
          },
        },
        '/gone': {
          get: {
            responses: {
              200: { description: 'x', content: { 'application/json': { schema: { $ref: 'gone.yaml#/Gone' } } } },
            },
          },
        },
      },
    });
    const forms = await compiled(given, { location, others });
    expect(documentOf(forms)).toMatchObject({
      components: {
        schemas: {
          Pet: { properties: { owner: { $ref: '#/components/schemas/Person' } } },
          Person: { description: 'A person.' },
        },
      },
    });
    expect(forms.problems.items).toEqual([expect.objectContaining({ code: 'no-unresolved-refs', line: 1 })]);
  });

  it('to documents that are too complex are problems', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    const others = new Map([['https://api.example/bomb.yaml', `l0: &l0 [x]\n${levels.join('\n')}`]]);
    const { problems } = await compiled(schemaOf('Pet', 'https://api.example/bomb.yaml#/l9'), { others });
    expect(problems.items).toEqual([expect.objectContaining({ code: 'no-unresolved-refs' })]);
  });
});
