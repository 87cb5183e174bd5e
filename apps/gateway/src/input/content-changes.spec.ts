import { describe, expect, it } from '@jest/globals';
import { changeContentInChangeRequest, type AppError } from '@scriptorium/contracts';
import { compileValidator } from './validator.js';

const validate = compileValidator(changeContentInChangeRequest);

function refusal(body: unknown): Pick<AppError, 'reason' | 'details'> | undefined {
  const bytes = Buffer.from(JSON.stringify(body));
  try {
    validate({
      params: { spaceId: 's', changeRequestId: 'c' },
      url: '/v1/spaces/s/change-requests/c/content',
      headers: {},
      body: bytes,
    });
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

const refusedPaths = (...changes: unknown[]): string[] =>
  refusal({ changes })?.details.map(({ path }) => path.replace(/^body\.changes/, '')) ?? [];

describe('a refused change of content', () => {
  const insert = { operation: 'insert_page', document: { markdown: 'x' } };
  const update = { operation: 'update_page', page: 'p' };

  it.each<[unknown, string[]]>([
    [insert, []],
    [{ ...insert, document: { document: { object: 'document', nodes: [] } } }, []],
    [{ ...insert, document: { object: 'document' } }, []],
    [{ ...insert, document: undefined }, ['[0].document']],
    [{ ...insert, document: 'text' }, ['[0].document']],
    [{ ...insert, document: { markdown: 7 } }, ['[0].document.markdown']],
    // What is in a document, the service names.
    [{ ...insert, document: { document: { object: 'document', nodes: 7 } } }, []],
    [{ ...insert, document: { document: { object: 'page' } } }, ['[0].document.document.object']],
    [{ ...insert, document: { document: 'text' } }, ['[0].document.document']],
    [{ ...insert, title: '', slug: 'a/b', at: -1 }, ['[0].title', '[0].slug', '[0].at']],
    [{ ...update, layout: { width: 'xl' } }, ['[0].layout.width']],
    [{ ...update, layout: 'portal' }, ['[0].layout']],
    [{ ...update, cover: { ref: { kind: 'url', url: 'x' } } }, ['[0].cover.ref.url']],
    [{ ...update, variables: { ok: 7, 'a b': '' } }, ['[0].variables.ok', '[0].variables.a b']],
    [{ operation: 'insert_files', files: [{ name: 'a' }] }, ['[0].files[0].url']],
    [{ operation: 'insert_pages' }, ['[0].operation']],
    [null, ['[0]']],
  ])('names its fields: %j', (change, paths) => {
    expect(refusedPaths(change).sort()).toEqual(paths.sort());
  });

  it('says which operations there are', () => {
    expect(refusal({ changes: [{ operation: 'insert_pages' }] })?.details[0]?.message).toContain('"insert_page"');
  });

  it('names every change that is wrong, up to a hundred fields', () => {
    expect(refusedPaths({ ...update, at: -1 }, update, { ...update, title: '' })).toEqual(['[0].at', '[2].title']);
    const bad = { operation: 'insert_files', files: Array(20).fill({ name: '' }) };
    expect(refusedPaths(...Array<unknown>(50).fill(bad))).toHaveLength(100);
  });

  it('is refused as too large when it has no other error', () => {
    const large = { ...insert, document: { markdown: 'x'.repeat(512 * 1024 + 1) } };
    expect(refusal({ changes: [insert, large] })).toMatchObject({
      reason: 'too_large',
      details: [{ path: 'body.changes[1].document.markdown', message: 'Must be at most 524288 bytes' }],
    });
    expect(refusal({ changes: [large, { ...update, title: '' }] })?.reason).toBe('invalid_request');
  });
});
