import { describe, expect, it } from '@jest/globals';
import { AppError, limitReached } from '@scriptorium/contracts';
import { readSearch } from '../search.process.js';
import { readQuery } from './answers.js';
import { patched, readResource } from './patch.js';
import { detailOf, scimTypeOf } from './refusal.js';
import { groupKind, userKind } from './resource.js';
import { readChangedUser, readGroup, readUser } from './wishes.js';

const user = (body: unknown) => readUser(readResource(userKind, body));
const group = (body: unknown) => readGroup(readResource(groupKind, body));
const changed = (body: unknown) => readUser(patched(userKind, { userName: 'ann' }, body));

const refusalOf = (act: () => unknown): [string | undefined, string] => {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return [scimTypeOf(error), detailOf(error)];
  }
  throw new Error('was not refused');
};

describe('a refusal by SCIM', () => {
  const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
  const patchWith = (...Operations: unknown[]) => ({ schemas: [patchSchema], Operations });

  it.each<[string, () => unknown, string, string]>([
    ['a missing name', () => user({}), 'invalidValue', 'userName is missing'],
    [
      'a long name',
      () => user({ userName: 'n'.repeat(255) }),
      'invalidValue',
      'userName must have at most 254 characters',
    ],
    [
      'no address',
      () => user({ userName: 'n', emails: [{ value: 'none' }] }),
      'invalidValue',
      'emails.0.value must be an e-mail address',
    ],
    [
      'control characters',
      () => group({ displayName: 'a\u0007' }),
      'invalidValue',
      'displayName must not contain control characters',
    ],
    [
      'a member without an id',
      () => group({ displayName: 'g', members: [{}] }),
      'invalidValue',
      'members.0.value is missing',
    ],
    ['a PATCH that is none', () => patched(userKind, {}, []), 'invalidSyntax', 'The body must be an object'],
    [
      'another schema',
      () => changed({ schemas: [], Operations: [{ op: 'remove', path: 'nickName' }] }),
      'invalidSyntax',
      `schemas must name ${patchSchema}`,
    ],
    [
      'no operation',
      () => patched(userKind, {}, patchWith()),
      'invalidSyntax',
      'Operations must have at least 1 values',
    ],
    [
      'an unknown operation',
      () => changed(patchWith({ op: 'move' })),
      'invalidSyntax',
      'Operations.0.op must be one of add, replace, remove',
    ],
    [
      'a path that is no text',
      () => changed(patchWith({ op: 'add', path: 1 })),
      'invalidSyntax',
      'Operations.0.path must be a text',
    ],
    ['a count that is no number', () => readQuery({ count: 'many' }), 'invalidValue', 'count must be a whole number'],
    ['a filter', () => readQuery({ filter: 'userName' }), 'invalidFilter', 'The filter cannot be read'],
    [
      'a search with a fraction',
      () => readSearch({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1.5 }),
      'invalidSyntax',
      'count must be a whole number',
    ],
  ])('of %s says what has to be sent', (_, act, type, detail) => {
    expect(refusalOf(act)).toEqual([type, detail]);
  });

  it('names every field with what is wrong with it, of types and of values', () => {
    const wrong = {
      userName: 1,
      active: 'maybe',
      displayName: 'n'.repeat(257),
      name: { givenName: 2, familyName: 'Lee', formatted: [] },
      emails: [3, { value: 4, primary: 'yes' }],
    };
    expect(refusalOf(() => user(wrong))).toEqual([
      'invalidValue',
      [
        'userName must be a text',
        'active must be true or false',
        'name.givenName must be a text',
        'name.formatted must be a text',
        'emails.0 must be an object',
        'emails.1.value must be a text',
        'emails.1.primary must be true or false',
        'displayName must have at most 256 characters',
      ].join('; '),
    ]);
    expect(refusalOf(() => group({ members: [{ value: 1 }, 2] }))).toEqual([
      'invalidValue',
      'members.0.value must be a text; members.1 must be an object; displayName is missing',
    ]);
  });

  it('names what is wrong in every operation of a PATCH', () => {
    const operations = patchWith(
      { op: 'replace', path: 'active', value: 'maybe' },
      { op: 'add', path: 'name.givenName', value: 1 },
      { op: 'add', path: 'emails[type eq "work"].value', value: false },
      { op: 'replace', value: 'x' },
    );
    expect(refusalOf(() => readUser(patched(userKind, {}, operations)))).toEqual([
      'invalidValue',
      [
        'active must be true or false',
        'name.givenName must be a text',
        'emails.value must be a text',
        'Operations must have an object as the value of replace without a path',
        'userName is missing',
      ].join('; '),
    ]);
  });

  it('names what is wrong with the form, paths, values and addresses of a PATCH at once', () => {
    const given = {
      schemas: [],
      Operations: [
        { op: 'move', path: 'active' },
        { op: 'replace', path: 'emails[', value: 'x' },
        { op: 'replace', path: 'emails[type zz "x"].value', value: 'x' },
        { op: 'remove' },
        { op: 'add', path: 'displayName' },
        { op: 'replace', value: { 'active[value eq "x"]': true, active: 'maybe' } },
        { op: 'replace', path: 'emails', value: [{ value: 'new@example.com' }] },
        { op: 'replace', path: 'userName', value: 'n'.repeat(255) },
      ],
    };
    expect(refusalOf(() => readChangedUser(patched(userKind, {}, given), 'ann@example.com'))).toEqual([
      'invalidSyntax',
      [
        `schemas must name ${patchSchema}`,
        'Operations.0.op must be one of add, replace, remove',
        'emails[ is no path',
        'The filter cannot be read',
        'remove needs a path',
        'Operations.4.value is missing',
        'active[value eq "x"]: active has no list of values',
        'active must be true or false',
        'emails must have the address of the account, which cannot be changed: delete the user, create another',
        'userName must have at most 254 characters',
      ].join('; '),
    ]);
  });

  it('names at most 20 fields', () => {
    const [type, detail] = refusalOf(() =>
      group({ displayName: 'g', members: Array.from({ length: 5_000 }, () => 1) }),
    );
    const named = detail.split('; ');
    expect([type, named.length, named[19], named[20]]).toEqual([
      'invalidValue',
      21,
      'members.19 must be an object',
      'and more',
    ]);
    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], attributes: Array(30).fill(1) };
    expect(refusalOf(() => readSearch(search))[1]).toMatch(/^(attributes\.\d+ must be a text; ){20}and more$/);
  });

  it('names a limit in words', () => {
    expect(detailOf(limitReached('membersPerOrganization', 3))).toBe('At most 3 members of an organization');
  });
});
