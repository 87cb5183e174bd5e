import { describe, expect, it } from '@jest/globals';
import { compile } from '../compile.js';
import { hasPart, readDirectory, readSlice, slicesFor } from './pack-directory.js';
import { openPack, operationOf, schemasOf } from './pack.js';

const specification = (operations: number) => ({
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: operations }, (_, place) => [
      `/a/${place}/${'x'.repeat(place % 90)}${Math.sin(place)}`,
      { get: { responses: { 200: { description: 'x', content: { 'application/json': { schema: ref('B') } } } } } },
    ]),
  ),
  webhooks: { made: { post: { summary: 'Made' } } },
  components: { schemas: { B: { properties: { c: ref('C') } }, C: { type: 'string' }, D: {} } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a pack that is read by ranges', () => {
  it.each([3, 6_000])('has what it has when it is read as a whole, with %d operations', async (operations) => {
    const made = await compile(JSON.stringify(specification(operations)));
    const bytes = made.isReadable ? made.pack.bytes : new Uint8Array();
    const ranges: number[] = [];
    const read = ({ start, end }: { start: number; end: number }) => {
      ranges.push(end - start);
      return Promise.resolve(bytes.subarray(start, end));
    };
    const directory = await readDirectory(bytes.length, read);
    expect(ranges.length).toBe(operations > 1_000 ? 2 : 1);
    const pack = openPack(bytes);
    const [name = ''] = pack.operations.keys();
    const part = { method: 'GET', path: name.slice(4) };
    const found = slicesFor(directory, part);
    const valueOf = (slice = found?.own) =>
      readSlice(bytes.subarray(slice?.offset, (slice?.offset ?? 0) + (slice?.length ?? 0)));
    const schemas = Object.fromEntries((found?.schemas ?? []).map((slice) => [slice.name, valueOf(slice).value]));
    expect({ ...(valueOf().value as object), schemas }).toEqual(operationOf(pack, 'get', part.path));
    expect(Object.keys(schemas)).toEqual(['B', 'C']);
    expect(schemas).toEqual(schemasOf(pack, ['B']));
    expect(valueOf().length).toBe(JSON.stringify(valueOf().value).length);
  });

  it('says what it has', async () => {
    const made = await compile(JSON.stringify(specification(1)));
    const directory = openPack(made.isReadable ? made.pack.bytes : new Uint8Array());
    const has = (part: Parameters<typeof hasPart>[1]) => hasPart(directory, part);
    expect([has({ webhook: 'made' }), has({ webhook: 'made', method: 'POST' }), has({ schemas: ['B', 'D'] })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([
      has({ webhook: 'made', method: 'get' }),
      has({ schemas: ['B', 'X'] }),
      has({ method: 'get', path: '' }),
    ]).toEqual([false, false, false]);
    expect(slicesFor(directory, { schemas: ['X'] })).toBeNull();
  });

  it('is refused when it is something else', async () => {
    const read = (bytes: Uint8Array) =>
      readDirectory(bytes.length, ({ start, end }) => Promise.resolve(bytes.subarray(start, end)));
    await expect(read(Buffer.from('something else'))).rejects.toThrow('no pack');
    await expect(read(Buffer.concat([Buffer.from([255, 255, 255, 1]), Buffer.from('OASPACK1')]))).rejects.toThrow(
      'no pack',
    );
  });
});
