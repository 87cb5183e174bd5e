import { describe, expect, it } from '@jest/globals';
import { compile } from './compile.js';
import { changesBetween } from './changes/changes-between.js';
import { at, partsOf, refOf } from './documents/pointers.js';
import { toMarkdown } from './shown/markdown.js';
import { snippetsOf } from './shown/snippets.js';
import { openPack, operationOf, type OperationSlice, type Pack } from './slices/pack.js';
import { schemaKey } from './slices/schema-key.js';
import { documentOf } from './test/compiled.js';
import { corpus } from './test/corpus.js';
import { entriesOf, members, methods } from './text/values.js';

/** The slice of an operation with all references written out to some depth: by names of schemas, or by pointers. */
const writtenOut = (value: unknown, target: (ref: string) => unknown, depth = 12): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const ref = refOf(value);
  if (ref !== null) return depth === 0 ? 'deeper' : writtenOut(target(ref), target, depth - 1);
  if (Array.isArray(value)) return value.map((item) => writtenOut(item, target, depth));
  return Object.fromEntries(entriesOf(value).map(([name, member]) => [name, writtenOut(member, target, depth)]));
};
const operationsOf = (pack: Pack): OperationSlice[] =>
  pack.index.operations.flatMap(
    ({ name }) => operationOf(pack, name.split(' ', 1)[0] ?? '', name.slice(name.indexOf(' ') + 1)) ?? [],
  );

describe('each specification that others wrote', () => {
  it('is there', () => expect(corpus.length).toBeGreaterThan(100));

  it.each(corpus)('%s can be compiled, and each operation holds all that belongs to it', async (_name, text) => {
    const result = await compile(text);
    if (!result.isReadable) throw new Error(result.problems.items[0]?.message);
    const pack = openPack(result.pack.bytes);
    const document = documentOf(result);
    const naive = (ref: string) => at(document, partsOf(ref) ?? ['nothing']);
    let count = 0;
    for (const [path, item] of entriesOf(document['paths'])) {
      const whole = members(refOf(item) === null ? item : naive(refOf(item) ?? ''));
      for (const method of Object.keys(whole).filter((name) => methods.has(name))) {
        count += 1;
        const slice = operationOf(pack, method.toUpperCase(), path);
        const { parameters: _, security: _security, ...expected } = members(writtenOut(whole[method], naive, 6));
        const bySlice = (ref: string) => slice?.schemas[schemaKey(ref) ?? ''];
        expect(members(writtenOut(slice?.operation, bySlice, 6))).toMatchObject(withoutDepth(expected));
      }
    }
    expect(pack.index.operations).toHaveLength(count);
    expect(changesBetween(pack, pack)).toEqual([]);
  });

  it.each(corpus)('%s can be shown', async (_name, text) => {
    const result = await compile(text);
    if (!result.isReadable) throw new Error(result.problems.items[0]?.message);
    for (const slice of operationsOf(openPack(result.pack.bytes))) {
      expect(toMarkdown(slice)).toMatch(/^## /);
      for (const { code } of snippetsOf(slice)) expect(code).not.toBe('');
    }
  });
});

/** Where the two walks stop differs: components are steps of one and not of the other. */
function withoutDepth(value: unknown): Record<string, unknown> {
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (Array.isArray(member)) return member.includes('deeper') ? undefined : (member as unknown);
    return member === 'deeper' ? undefined : member;
  });
  return JSON.parse(text) as Record<string, unknown>;
}
