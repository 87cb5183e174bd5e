import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import {
  collectEmbeds,
  embed,
  embedAnnotation,
  memberReferenceId,
  parseMemberReferenceId,
  referTo,
  type EmbedLookup,
} from './embed.js';
import { embedLookups } from '../services.js';
import { lookupUsers, User } from '../identity/index.js';
import { internalOperation } from './operation.js';

const Comment = z.object({ id: z.string(), postedBy: embed('user', User) });
const user = {
  object: 'user',
  id: 'u1',
  displayName: 'Ann',
  urls: { location: 'http://docs.test/v1/users/u1' },
} as const;

describe('an embedded resource', () => {
  it('is a reference in the service and a resource in the client', () => {
    const answered: z.input<typeof Comment> = { id: 'c', postedBy: referTo('user', 'u1') };
    expect(Comment.parse(answered)).toEqual({ id: 'c', postedBy: { object: 'user', id: 'u1' } });
    expect(Comment.parse({ id: 'c', postedBy: user })).toEqual({ id: 'c', postedBy: user });
  });

  it.each([
    [{ object: 'team', id: 'u1' }],
    [{ object: 'user' }],
    [{ object: 'user', id: 'not an id' }],
    ['u1'],
    [null],
  ])('is not %j', (value) => {
    expect(Comment.safeParse({ id: 'c', postedBy: value }).success).toBe(false);
  });

  it('is marked in the JSON Schema', () => {
    const schema = z.toJSONSchema(Comment) as { properties: Record<string, Record<string, unknown>> };
    expect(schema.properties['postedBy']?.[embedAnnotation]).toBe('user');
    expect(schema.properties['postedBy']?.['anyOf']).toHaveLength(2);
  });

  it('has a lookup', () => {
    expect(embedLookups['user']).toBe(lookupUsers);
    expect(lookupUsers.response.parse({ items: [user] })).toEqual({ items: [user] });
  });
});

describe('the embeds of services', () => {
  const lookup = (id: string): EmbedLookup =>
    internalOperation({
      id,
      service: 'content',
      input: z.object({ ids: z.array(z.string()) }),
      response: z.object({ items: z.array(z.object({ id: z.string() })) }),
    });

  it('are collected in one table', () => {
    const [spaces, sites] = [lookup('lookupSpaces'), lookup('lookupSites')];
    expect(collectEmbeds([{ embeds: { space: spaces } }, { embeds: { site: sites } }])).toEqual({
      space: spaces,
      site: sites,
    });
  });

  it('have no kind twice', () => {
    const embeds = { space: lookup('lookupSpaces') };
    expect(() => collectEmbeds([{ embeds }, { embeds }])).toThrow('Two services declare the embedded resource space');
  });
});

describe('a reference to a member', () => {
  it('names organization and user', () => {
    const id = memberReferenceId('org1', 'user1');
    expect([id, parseMemberReferenceId(id)]).toEqual(['org1_user1', { organizationId: 'org1', userId: 'user1' }]);
  });

  it.each([[''], ['org1'], ['org1_'], ['_user1'], ['a_b_c']])('has no other form: "%s"', (id) => {
    expect(parseMemberReferenceId(id)).toBeNull();
  });
});
