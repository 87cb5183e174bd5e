import { describe, expect, it } from '@jest/globals';
import {
  createSite,
  listOrganizationChanges,
  listTeamsInOrganizationById,
  trackSiteInsights,
  wireHeader,
} from '@scriptorium/contracts';
import { encode, unlessKnown, CachedResponse, Reply } from './answers.js';
import type { AnyOperation } from './handles.js';

describe('the bytes of a large answer', () => {
  const answer = (fill: string, bytes = 2_000) => ({ body: Buffer.alloc(bytes, fill), headers: { etag: 'e' } });
  const digestOf = (fill: string) => unlessKnown(answer(fill), undefined).headers?.['digest'] ?? '';

  it('are told by their digest', () => {
    const { body, headers } = unlessKnown(answer('a'), undefined);
    expect([body.length, headers]).toEqual([2_000, { etag: 'e', digest: expect.stringMatching(/^[\w-]{22}$/) }]);
    expect(digestOf('b')).not.toBe(digestOf('a'));
  });

  it('are left out for who has the same, and only then', () => {
    const digest = digestOf('a');
    expect(unlessKnown(answer('a'), digest)).toEqual({ body: new Uint8Array(), headers: { etag: 'e', digest } });
    expect(unlessKnown(answer('b'), digest).body).toHaveLength(2_000);
  });

  it('are not compared when they are few', () => {
    const small = answer('a', 1_023);
    expect(unlessKnown(small, digestOf('a'))).toBe(small);
  });
});

describe('an answer of which a handler tells more', () => {
  it('says where what was created is', () => {
    const reply = encode(createSite, new Reply({ id: 'a' }, { location: 'https://a.example/a' }));
    expect([Buffer.from(reply.body).toString(), reply.headers]).toEqual([
      '{"id":"a"}',
      { [wireHeader.location]: 'https://a.example/a' },
    ]);
  });

  it('has no address when what was to be created was there', () => {
    const made = { id: 'a', urls: { location: 'https://a.example/a' } };
    const { body, headers } = encode(createSite, new Reply(made, { status: 200 }));
    expect([Buffer.from(body).toString(), headers]).toEqual([JSON.stringify(made), { [wireHeader.status]: '200' }]);
  });

  it('says for how long it may be used again', () => {
    const { headers } = encode(createSite, new Reply({ id: 'a' }, { maxAgeSeconds: 2 }));
    expect(headers).toEqual({ [wireHeader.maxAge]: '2' });
  });

  it('has no body when that is said', () => {
    const { body, headers } = encode(trackSiteInsights, new Reply(undefined, { status: 204 }));
    expect([body.length, headers]).toEqual([0, { [wireHeader.status]: '204' }]);
  });
});

describe('a page of a list', () => {
  const nextOf = (op: AnyOperation, page: object) => encode(op, { items: [], ...page }).headers?.[wireHeader.next];

  it('tells the cursor of the next one, unless it is the last', () => {
    expect(nextOf(listTeamsInOrganizationById, { count: 1, next: { page: 'c' } })).toBe('c');
    expect(nextOf(listTeamsInOrganizationById, { count: 1 })).toBeUndefined();
    const kept = CachedResponse.of({ items: [], count: 1, next: { page: 'c' } });
    expect(encode(listTeamsInOrganizationById, kept).headers?.[wireHeader.next]).toBe('c');
  });

  it('tells it of a list that can be followed when there is more', () => {
    expect(nextOf(listOrganizationChanges, { more: true, next: { page: '7' } })).toBe('7');
    expect(nextOf(listOrganizationChanges, { more: false, next: { page: '7' } })).toBeUndefined();
  });
});
