import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  embed,
  embedLookups,
  internalOperation,
  memberReferenceId,
  operation,
  operationList,
  parseMemberReferenceId,
  referTo,
  type Operation,
} from '@scriptorium/contracts';
import { createPrincipalReader } from '@scriptorium/platform/signed-principal';
import * as z from 'zod';
import { config, jsonAnswer, refuse, startRig, textOf, type Rig } from '../test/rig.js';
import { createComposers } from './compose.js';

// Resources that refer to each other: a note has an author, an author has a mentor and a home.
const kind = (name: string) => name;
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
  choice: z.union([
    z.object({ type: z.literal('a'), who: author }),
    z.object({ type: z.literal('b'), text: z.string() }),
  ]),
  plain: z.object({ object: z.string(), id: z.string() }),
});

const lookup = (id: string, item: z.ZodType<{ id: string }, { id: string }>) =>
  internalOperation({
    id,
    service: 'identity',
    input: z.object({ ids: z.array(z.string()) }),
    response: z.object({ items: z.array(item) }),
  });
const anyItem = (schema: z.ZodType) => schema as z.ZodType<{ id: string }, { id: string }>;
const Membership = z.object({ object: z.literal('member'), id: z.string(), role: z.string() });
const lookups = {
  author: lookup('lookupAuthors', anyItem(Author)),
  home: lookup('lookupHomes', anyItem(Home)),
  member: lookup('lookupMembers', anyItem(Membership)),
};

const base = {
  service: 'content',
  tag: 'Spec',
  summary: '',
  access: { resource: 'installation', view: ['anyone'], allow: ['anyone'] },
} as const;
const getNote = operation({ ...base, id: 'getNote', method: 'GET', path: '/note', response: Note });
const getPlain = operation({
  ...base,
  id: 'getPlain',
  method: 'GET',
  path: '/plain',
  response: z.object({ a: z.int() }),
});
const getAuthor = operation({ ...base, id: 'getAuthor', method: 'GET', path: '/author', response: author });
const getReviewers = operation({
  ...base,
  id: 'getReviewers',
  method: 'GET',
  path: '/reviewers',
  response: z.object({ items: z.array(embed('member', Membership)) }),
});
const touch = operation({ ...base, id: 'touch', method: 'POST', path: '/touch' });

let rig: Rig;
let token: string;
let asked: { kind: string; ids: string[]; principal: string | undefined; afterTypes: string | undefined }[];
beforeAll(async () => {
  const table: Operation[] = [getNote, getPlain, getAuthor, getReviewers, touch];
  rig = await startRig({ table, lookups, services: ['identity', 'content'] });
});
afterAll(() => rig.stop());
beforeEach(() => {
  token = rig.issue();
  asked = [];
  rig.stub.on = {
    getNote: () => jsonAnswer(note),
    lookupAuthors: find('author', authors),
    lookupHomes: find('home', homes),
  };
});

const ref = (name: string, id: string) => referTo(kind(name), id);
const authors: Record<string, object> = {
  ann: { object: 'author', id: 'ann', name: 'Ann', home: ref('home', 'h1'), mentor: ref('author', 'bob') },
  bob: { object: 'author', id: 'bob', name: 'Bob', mentor: ref('author', 'ann') },
};
const none = () => Promise.resolve(new Map<string, object>());
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
    const { principal, 'after-types': afterTypes } = request.headers;
    asked.push({ kind: name, ids: [...ids].sort(), principal, afterTypes });
    return jsonAnswer({ items: ids.flatMap((id) => all[id] ?? []) });
  };
}

describe('embedded resources', () => {
  it('replace their references, two levels deep, with one lookup per kind and level', async () => {
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
    // At the second level ann and bob are cached.
    expect(asked.map(({ kind: name, ids }) => [name, ids])).toEqual([
      ['author', ['ann', 'bob', 'nobody']],
      ['home', ['h1']],
    ]);
    expect(createPrincipalReader(config.keys)(asked[0]?.principal)).toMatchObject({ kind: 'user' });
  });

  it('are cached for one caller, and until the caller writes', async () => {
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

  it('stay references when the lookup fails', async () => {
    rig.stub.on['lookupAuthors'] = refuse('unavailable');
    expect((await rig.call('GET', '/v1/note', { token })).json).toEqual(note);
  });

  it('are looked up in batches of 1,000', async () => {
    const readers = Array.from({ length: 2_500 }, (_, i) => ref('author', `a${i}`));
    rig.stub.on['getNote'] = () => jsonAnswer({ ...note, readers });
    expect((await rig.call('GET', '/v1/note', { token })).status).toBe(200);
    expect(
      asked
        .filter((one) => one.kind === 'author')
        .map(({ ids }) => ids.length)
        .sort(),
    ).toEqual([1000, 1000, 502].sort());
  });

  it('leave the bytes of an answer without references unchanged', async () => {
    const bytes = '{ "a" : 1 }';
    rig.stub.on['getPlain'] = () => ({ body: Buffer.from(bytes) });
    expect((await rig.call('GET', '/v1/plain', { token })).text).toBe(bytes);
  });

  it('make an answer that its schema accepts', async () => {
    const { json } = await rig.call('GET', '/v1/note', { token });
    expect(Note.safeParse(json).success).toBe(true);
    expect(Note.safeParse(note).success).toBe(true);
  });

  it('may be the whole answer', async () => {
    rig.stub.on['getAuthor'] = () => jsonAnswer(ref('author', 'ann'), { etag: 'a'.repeat(22) });
    const { status, json, headers } = await rig.call('GET', '/v1/author', { token });
    expect([status, json]).toEqual([200, { ...authors['ann'], home: homes['h1'], mentor: authors['bob'] }]);
    const again = await rig.call('GET', '/v1/author', {
      token,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    rig.stub.on['getAuthor'] = () => jsonAnswer(ref('author', 'nobody'));
    expect((await rig.call('GET', '/v1/author', { token })).json).toEqual(ref('author', 'nobody'));
  });

  it('may be members, whose references name organization and user', async () => {
    const member = { object: 'member', id: 'ann', role: 'edit' };
    rig.stub.on['getReviewers'] = () =>
      jsonAnswer({
        items: [ref('member', memberReferenceId('o1', 'ann')), ref('member', memberReferenceId('o2', 'ann'))],
      });
    rig.stub.on['lookupMembers'] = ({ body }) => {
      const { ids } = JSON.parse(textOf(body)) as { ids: string[] };
      const refs = ids.filter((id) => parseMemberReferenceId(id)?.organizationId === 'o1');
      return jsonAnswer({ items: refs.map(() => member), refs });
    };
    const expected = { items: [member, ref('member', 'o2_ann')] };
    expect((await rig.call('GET', '/v1/reviewers', { token })).json).toEqual(expected);
    // The second time the first member is cached, by its reference.
    expect((await rig.call('GET', '/v1/reviewers', { token })).json).toEqual(expected);
  });

  it('are looked up after what the same request, or an earlier one of the caller, recorded', async () => {
    rig.stub.on['touch'] = () => jsonAnswer({}, { position: '51', types: 'NoteWritten=50,NoteSigned=51' });
    await rig.call('POST', '/v1/touch', { token });
    await rig.call('GET', '/v1/note', { token });
    expect(asked.map(({ afterTypes }) => afterTypes)).toEqual(asked.map(() => 'NoteWritten=50,NoteSigned=51'));
    asked = [];
    await rig.call('GET', '/v1/note', { token: rig.issue() });
    expect(asked[0]?.afterTypes).toBeUndefined();
  });

  it('are not older than the position that the client knows of', async () => {
    await rig.call('GET', '/v1/note', { token });
    asked = [];
    const positions: (string | undefined)[] = [];
    rig.stub.on['lookupHomes'] = (request) => {
      positions.push(request.headers['after']);
      return find('home', homes)(request);
    };
    await rig.call('GET', '/v1/note', { token, headers: { 'scriptorium-after': '17' } });
    expect(asked.flatMap(({ ids }) => ids)).toEqual(['ann', 'bob', 'nobody', 'h1']);
    expect(positions).toEqual(['17']);
  });

  it('of a kind without a lookup are an error, which no operation of the product has', () => {
    expect(() => createComposers({}, none)(getNote)).toThrow('kind author');
    const composerOf = createComposers(embedLookups, none);
    expect(operationList.filter((op) => composerOf(op) !== undefined).length).toBeGreaterThan(20);
  });

  it('are composed once in a large answer, and anew as soon as one of them or the answer is another', async () => {
    const many = { ...note, readers: Array.from({ length: 400 }, () => ref('author', 'bob')) };
    rig.stub.on['getNote'] = () => jsonAnswer(many, { etag: 'same' });
    const read = async () => {
      const { text, headers } = await rig.call('GET', '/v1/note', { token });
      const { readers } = JSON.parse(text) as { readers: { name: string }[] };
      return [readers.length, readers[0]?.name, headers.get('etag')];
    };
    const first = await read();
    expect(first.slice(0, 2)).toEqual([400, 'Bob']);
    expect(await read()).toEqual(first);
    rig.stub.on['lookupAuthors'] = find('author', { ...authors, bob: { ...authors['bob'], name: 'Robert' } });
    await rig.call('POST', '/v1/touch', { token });
    const second = await read();
    expect(second[1]).toBe('Robert');
    expect(second[2]).not.toBe(first[2]);
    rig.stub.on['getNote'] = () => jsonAnswer({ ...many, readers: many.readers.slice(1) }, { etag: 'same' });
    expect((await read())[0]).toBe(399);
  });
});
