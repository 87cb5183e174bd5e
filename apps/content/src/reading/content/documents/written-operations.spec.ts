import { describe, expect, it } from '@jest/globals';
import type { Data, RichDocument } from '@scriptorium/rich-text';
import { writeDocument } from './long-document.task.js';

const ref = { kind: 'openapi', spec: 'shop' };
const written = (type: string, data: Data): string => {
  const block = { object: 'block' as const, type, isVoid: true, data: { ref, ...data } };
  const document: RichDocument = { object: 'document', data: {}, nodes: [block] };
  return writeDocument(document, { title: undefined, refs: 'relative', named: { pages: new Map(), folder: [] } });
};

describe('the markdown of blocks of specifications', () => {
  it('says that something is not there, where a tag could not lead anywhere', () => {
    const gone = { path: '/gone', method: 'get' };
    expect(written('openapi-operation', { ...gone, resolved: null })).toBe('`GET /gone` is not available.\n');
    expect(written('openapi-operation', gone)).toContain('{% openapi-operation spec="shop" path="/gone"');
  });

  it('has the properties of all parts of a schema', () => {
    const schemas = {
      Base: { properties: { id: { type: 'string', enum: ['a', 'b'] } } },
      Order: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { open: { default: true } } }] },
    };
    const text = written('openapi-schemas', { schemas: ['Order'], resolved: { spec: 's', version: 'v', schemas } });
    expect(text).toMatch(/`id`\s*\| string\s*\| One of `a`, `b`\./);
    expect(text).toMatch(/`open`\s*\| any\s*\| By default `true`\./);
  });
});
