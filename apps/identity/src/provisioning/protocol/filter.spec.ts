import { describe, expect, it } from '@jest/globals';
import { equalities, meets, readFilter } from './filter.js';
import { userKind } from './resource.js';

const ann = {
  id: 'u1',
  externalId: 'E1',
  userName: 'Ann@Example.com',
  active: true,
  name: { familyName: 'Lee' },
  emails: [
    { value: 'ann@example.com', type: 'work' },
    { value: 'lee@home.example', type: 'home' },
  ],
  meta: { created: '2026-01-02T00:00:00.000Z' },
};

describe('a filter', () => {
  it.each([
    ['userName eq "ann@example.com"', true],
    ['USERNAME EQ "ann@example.com"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann@example.com"', true],
    ['externalId eq "E1"', true],
    ['externalId eq "e1"', false],
    ['emails eq "lee@home.example"', true],
    ['emails.value co "HOME"', true],
    ['emails[type eq "work" and value co "home"]', false],
    ['emails[type eq "home" and value co "home"]', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active eq "False"', false],
    ['not (active eq false) and name.familyName sw "l"', true],
    ['displayName pr or name.familyName ew "EE"', true],
    ['displayName pr', false],
    ['displayName ne "x"', true],
    ['meta.created gt "2026-01-01T00:00:00Z"', true],
    ['meta.created le "2026-01-01T00:00:00Z"', false],
    ['meta.created eq "2026-01-02T01:00:00+01:00"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:meta.created lt "2026-01-02T00:30:00+01:00"', false],
    ['userName eq "x" or id eq "u1" and active eq true', true],
    ['__proto__ pr', false],
    ['constructor eq "x"', false],
  ])('%s is %s of a user', (text, expected) => {
    expect(meets(readFilter(text), ann, userKind)).toBe(expected);
  });

  it.each([
    'userName',
    'userName eq',
    'userName zz "x"',
    'userName eq "x',
    '(userName eq "x"',
    'active eq True',
    'meta.lastModified gt "2026-13-29T23:59:59Z"',
    'active eq true and not (META.created le "2026-01-02T00:00:00 01:00")',
    `userName eq "${'\n'.repeat(40)}`,
    `userName eq "${'x'.repeat(2_000)}"`,
  ])('that cannot be read is refused (%#)', (text) => {
    expect(() => readFilter(text)).toThrow(/filter|time/i);
  });

  it('tells what all that meet it have', () => {
    const told = (text: string) => Object.fromEntries(equalities(readFilter(text), userKind));
    expect(told('userName eq "A" and active eq true')).toEqual({ username: 'A' });
    expect(told('emails[type eq "work" and value eq "a"]')).toEqual({ 'emails.type': 'work', 'emails.value': 'a' });
    expect(told('userName eq "A" or userName eq "B"')).toEqual({});
    expect(told('not (userName eq "A")')).toEqual({});
  });
});
