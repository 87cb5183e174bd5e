import { describe, expect, it } from '@jest/globals';
import { operationList, RichDocumentInput } from '@scriptorium/contracts';
import * as z from 'zod';
import { detailsOf, messageOf } from './issues.js';
import { compileValidator } from './validator.js';

/** What is said of the field `v` with a value, or without one. */
function refusals(schema: z.ZodType, value?: unknown): string[] {
  const given = value === undefined ? {} : { v: value };
  const read = z.object({ v: schema }).safeParse(given, { reportInput: true, error: messageOf });
  return detailsOf('body', read.error?.issues ?? []).map(({ path, message }) => `${path}: ${message}`);
}

describe('a refusal says what is expected', () => {
  const change = z.discriminatedUnion('operation', [
    z.object({ operation: z.literal('insert') }),
    z.object({ operation: z.literal('delete') }),
  ]);

  it.each<[z.ZodType, unknown, string]>([
    [z.string(), 7, 'Must be a string'],
    [z.number(), '7', 'Must be a number'],
    [z.int(), 'abc', 'Must be an integer'],
    [z.int(), 1.5, 'Must be an integer'],
    [z.boolean(), 'yes', 'Must be true or false'],
    [z.object({}), [], 'Must be an object'],
    [z.record(z.string(), z.string()), 7, 'Must be an object'],
    [z.array(z.string()), {}, 'Must be a list'],
    [z.literal('a'), 'b', 'Must be "a"'],
    [z.enum(['a', 'b']), 'c', 'Must be one of "a", "b"'],
    [z.string().min(1), '', 'Must have at least 1 character'],
    [z.string().max(2), 'abc', 'Must have at most 2 characters'],
    [z.array(z.int()).min(2), [1], 'Must have at least 2 items'],
    [z.int().max(100), 101, 'Must be at most 100'],
    [z.number().gt(0), 0, 'Must be more than 0'],
    [z.email(), 'x', 'Must be an email address'],
    [z.string().regex(/^a$/), 'b', 'Must match the pattern /^a$/'],
    [z.string().regex(/^a$/, 'Must be the letter a'), 'b', 'Must be the letter a'],
    [z.union([z.boolean(), z.literal('only')]), 'x', 'Must be "only"'],
    [z.union([z.string(), z.object({})]), 7, 'Must be a string or an object'],
  ])('%#', (schema, value, message) => expect(refusals(schema, value)).toEqual([`body.v: ${message}`]));

  it.each<[z.ZodType, string]>([
    [z.string(), 'Is required, and must be a string'],
    [z.enum(['a', 'b']), 'Is required, and must be one of "a", "b"'],
    [z.union([z.string(), z.object({})]), 'Is required, and must be a string or an object'],
    [change, 'Is required, and must be an object'],
    [RichDocumentInput, 'Is required, and must be an object'],
  ])('also where it is missing: %#', (schema, message) => expect(refusals(schema)).toEqual([`body.v: ${message}`]));

  it.each([
    [{ operation: 'x' }, 'body.v.operation: Must be one of "insert", "delete"'],
    [{}, 'body.v.operation: Is required, and must be one of "insert", "delete"'],
    [7, 'body.v: Must be an object'],
  ])('where a field tells what is meant: %j', (value, message) => expect(refusals(change, value)).toEqual([message]));

  it.each([
    [{}, 'body.v: Must have one of the forms { markdown }, { document } or { object: "document" }'],
    [{ markdown: 7 }, 'body.v.markdown: Must be a string'],
    [{ object: 'page' }, 'body.v.object: Must be "document"'],
    [{ object: 'document', nodes: 7 }, 'body.v.nodes: Must be a list'],
  ])('where there are several forms: %j', (value, message) =>
    expect(refusals(RichDocumentInput, value)).toEqual([message]),
  );

  it.each([
    [{ type: 'view', page: 7 }, 'body.v.page: Must be a string'],
    [{ type: 'rating' }, 'body.v.rating: Is required, and must be a number'],
  ])('where `type` is for one form, and others take every other: %j', (value, message) => {
    const known = z.discriminatedUnion('type', [
      z.object({ type: z.literal('view'), page: z.string().optional() }),
      z.object({ type: z.literal('rating'), rating: z.number() }),
    ]);
    const other = z.looseObject({ type: z.string().regex(/^(?!(view|rating)$)/, { abort: true }) });
    expect(refusals(z.union([known, other]), value)).toEqual([message]);
  });

  it('names fields of requests', () => {
    const op = operationList.find(({ id }) => id === 'listTeamsInOrganizationById');
    if (op === undefined) throw new Error('There is no such operation');
    const validate = compileValidator(op);
    const raw = { params: { organizationId: 'o' }, url: '/x?limit=abc', headers: {}, body: undefined };
    expect(() => validate(raw)).toThrow('query.limit: Must be an integer');
  });
});
