import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { embed, internalOperation, operation, referTo, type EmbedKind, type Operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { jsonAnswer, refuse, startRig, textOf, type Rig } from '../test/rig.js';

// Resources that refer to each other over services: a note has an author, an author a mentor and a home.
const kind = (name: string) => name as EmbedKind;
const Home = z.object({ object: z.literal('home'), id: z.string(), street: z.string() }).meta({ id: 'SpecHome' });
const Author = z
  .object({
    object: z.literal('author'),
    id: z.string(),
    name: z.string(),
    home: embed(kind('home'), Home).optional(),
    get mentor() {
      return embed(kind('author'), Author).optional();
    },
  })
  .meta({ id: 'SpecAuthor' }) as z.ZodObject;
const author = embed(kind('author'), Author);
const Note = z.object({
  by: author,
  readers: z.array(author),
  marks: z.record(z.string(), z.object({ who: author.nullable() })),
  choice: z.union([z.object({ type: z.literal('a'), who: author }), z.object({ type: z.literal('b'), text: z.string() })]),
  plain: z.object({ object: z.string(), id: z.string() }),
});

const lookup = (id: string, item: z.ZodType<{ id: string }, { id: string }>) =>
  internalOperation({ id, service: 'identity', input: z.object({ ids: z.array(z.string()) }), response: z.object({ items: z.array(item) }) });
const anyItem = (schema: z.ZodType) => schema as z.ZodType<{ id: string }, { id: string }>;
const lookups = { author: lookup('lookupAuthors', anyItem(Author)), home: lookup('lookupHomes', anyItem(Home)) };

const base = { service: 'content', tag: 'Spec', summary: '', access: { resource: 'installation', view: ['anyone'], allow: ['anyone'] } } as const;
const getNote = operation({ ...base, id: 'getNote', method: 'GET', path: '/note', response: Note });
const getPlain = operation({ ...base, id: 'getPlain', method: 'GET', path: '/plain', response: z.object({ a: z.int() }) });
const touch = operation({ ...base, id: 'touch', method: 'POST', path: '/touch' });

let rig: Rig;
let token: string;
let asked: { kind: string; ids: string[]; principal: string | undefined }[];
beforeAll(async () => {
  const table: Operation[] = [getNote, getPlain, touch];
  rig = await startRig({ table, lookups, services: ['identity', 'content'] });
});
afterAll(() => rig.stop());
beforeEach(() => {
  token = rig.issue();
  asked = [];
  rig.stub.on = { getNote: () => jsonAnswer(note), lookupAuthors: find('author', authors), lookupHomes: find('home', homes) };
});

const ref = (name: string, id: string) => referTo(kind(name), id);
const authors: Record<string, object> = {
  ann: { object: 'author', id: 'ann', name: 'Ann', home: ref('home', 'h1'), mentor: ref('author', 'bob') },
  bob: { object: 'author', id: 'bob', name: 'Bob', mentor: ref('author', 'ann') },
};
const homes: Record<string, object> = { h1: { object: 'home', id: 'h1', street: 'First' } };
const note = {
  by: ref('author', 'ann'),
  readers: [ref('author', 'bob'), ref('author', 'ann'), ref('author', 'nobody')],
  marks: { x: { who: ref('author', 'bob') }, y: { who: null } },
  choice: { type: 'a', who: ref('author', 'ann') },
  plain: ref('author', 'ann'),
};

function find(name: string, all: Record<string, object>) {
  return (request: { body: Uint8Array; headers: Record<string, string> }) => {
    const { ids } = JSON.parse(textOf(request.body)) as { ids: string[] };
    asked.push({ kind: name, ids: [...ids].sort(), principal: request.headers['principal'] });
    return jsonAnswer({ items: ids.flatMap((id) => all[id] ?? []) });
  };
}

describe('embedded resources', () => {
  it('take the place of their references, two deep, with one lookup per kind and depth', async () => {
    const { json } = await rig.call('GET', '/v1/note', { token });
    const ann = { ...authors['ann'], home: homes['h1'], mentor: authors['bob'] };
    const bob = { ...authors['bob'], mentor: authors['ann'] };
    expect(json).toEqual({
      by: ann,
      readers: [bob, ann, ref('author', 'nobody')],
      marks: { x: { who: bob }, y: { who: null } },
      choice: { type: 'a', who: ann },
      plain: ref('author', 'ann'),
    });
    // At the second depth ann and bob are known already.
    expect(asked.map(({ kind: name, ids }) => [name, ids])).toEqual([
      ['author', ['ann', 'bob', 'nobody']],
      ['home', ['h1']],
    ]);
    expect(JSON.parse(asked[0]?.principal ?? '')).toMatchObject({ kind: 'user' });
  });

  it('are remembered for the same caller alone, and not over its own writes', async () => {
    await rig.call('GET', '/v1/note', { token });
    asked = [];
    await rig.call('GET', '/v1/note', { token });
    expect(asked.flatMap(({ ids }) => ids)).toEqual(['nobody']);
    await rig.call('GET', '/v1/note', { token: rig.issue() });
    expect(asked.flatMap(({ ids }) => ids)).toContain('ann');
    asked = [];
    expect((await rig.call('POST', '/v1/touch', { token })).status).toBe(204);
    await rig.call('GET', '/v1/note', { token });
    expect(asked.flatMap(({ ids }) => ids)).toContain('ann');
  });

  it('stay references when nobody can look them up', async () => {
    rig.stub.on['lookupAuthors'] = refuse('unavailable');
    expect((await rig.call('GET', '/v1/note', { token })).json).toEqual(note);
  });

  it('are asked for in bounded batches', async () => {
    const readers = Array.from({ length: 2_500 }, (_, i) => ref('author', `a${i}`));
    rig.stub.on['getNote'] = () => jsonAnswer({ ...note, readers });
    expect((await rig.call('GET', '/v1/note', { token })).status).toBe(200);
    expect(asked.filter((one) => one.kind === 'author').map(({ ids }) => ids.length).sort()).toEqual([1000, 1000, 502].sort());
  });

  it('cost nothing where there are none', async () => {
    const bytes = '{ "a" : 1 }';
    rig.stub.on['getPlain'] = () => ({ body: Buffer.from(bytes) });
    expect((await rig.call('GET', '/v1/plain', { token })).text).toBe(bytes);
  });

  it('make the composed value one that the schema reads', async () => {
    const { json } = await rig.call('GET', '/v1/note', { token });
    expect(Note.safeParse(json).success).toBe(true);
    expect(Note.safeParse(note).success).toBe(true);
  });

  it('of a kind that nobody finds stop the start', async () => {
    await expect(startRig({ table: [getNote], lookups: {} })).rejects.toThrow('kind author');
  });
});
