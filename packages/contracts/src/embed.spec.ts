import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { embed, embedAnnotation, referTo } from './embed.js';
import { embedLookups } from './embed-lookups.js';
import { User } from './identity/index.js';

const Comment = z.object({ id: z.string(), postedBy: embed('user', User) });
const user = { object: 'user', id: 'u1', displayName: 'Ann', urls: { location: 'http://docs.test/v1/users/u1' } } as const;

describe('an embedded resource', () => {
  it('is a reference where the service answers, and the resource where the client reads', () => {
    const answered: z.input<typeof Comment> = { id: 'c', postedBy: referTo('user', 'u1') };
    expect(Comment.parse(answered)).toEqual({ id: 'c', postedBy: { object: 'user', id: 'u1' } });
    expect(Comment.parse({ id: 'c', postedBy: user })).toEqual({ id: 'c', postedBy: user });
  });

  it.each([[{ object: 'team', id: 'u1' }], [{ object: 'user' }], [{ object: 'user', id: 'not an id' }], ['u1'], [null]])('is not %j', (value) => {
    expect(Comment.safeParse({ id: 'c', postedBy: value }).success).toBe(false);
  });

  it('is marked in the JSON Schema, beside the resource and its reference', () => {
    const schema = z.toJSONSchema(Comment) as { properties: Record<string, Record<string, unknown>> };
    expect(schema.properties['postedBy']?.[embedAnnotation]).toBe('user');
    expect(schema.properties['postedBy']?.['anyOf']).toHaveLength(2);
  });

  it('has an exchange that finds it', () => {
    expect(embedLookups.user.response.parse({ items: [user] })).toEqual({ items: [user] });
  });
});
