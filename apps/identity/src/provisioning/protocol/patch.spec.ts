import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { patched, readResource } from './patch.js';
import { scimTypeOf } from './refusal.js';
import { groupKind, userKind, type Fields, type ResourceKind } from './resource.js';
import { readChangedUser } from './wishes.js';

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const work = { value: 'ann@example.com', type: 'work', primary: true };
const ann = { userName: 'ann', active: true, name: { givenName: 'Ann' }, emails: [work] };
const writers = { displayName: 'Writers', members: [{ value: 'a' }, { value: 'b' }] };

const patch = (resource: Fields, operations: unknown, kind: ResourceKind = userKind): Fields =>
  patched(kind, resource, { schemas, Operations: operations }).fields;

const refusedFor = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return scimTypeOf(error);
  }
  return undefined;
};

describe('a PATCH of a user', () => {
  it.each([
    ['as Entra deactivates', [{ op: 'Replace', path: 'active', value: 'False' }], { ...ann, active: false }],
    ['as Okta deactivates', [{ op: 'replace', value: { active: false } }], { ...ann, active: false }],
    [
      'with a filter in its path',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@example.com' }],
      { ...ann, emails: [{ ...work, value: 'x@example.com' }] },
    ],
    [
      'with a filter that describes a new value',
      [{ op: 'Add', path: 'emails[type eq "home"].value', value: 'x@example.com' }],
      { ...ann, emails: [work, { type: 'home', value: 'x@example.com' }] },
    ],
    [
      'without a path, with paths as names',
      [{ op: 'Add', value: { displayName: 'A', 'name.familyName': 'B', 'emails[type eq "work"].value': 'c@d.e' } }],
      {
        ...ann,
        displayName: 'A',
        name: { givenName: 'Ann', familyName: 'B' },
        emails: [{ ...work, value: 'c@d.e' }],
      },
    ],
    [
      'with names in other letters and with the schema before them',
      [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:user:NAME.givenname', value: 'Anna' }],
      { ...ann, name: { givenName: 'Anna' } },
    ],
    [
      'that removes parts',
      [{ op: 'remove', path: 'name.givenName' }],
      { userName: 'ann', active: true, emails: [work] },
    ],
    [
      'that replaces a list',
      [{ op: 'replace', value: { emails: [{ value: 'n@example.com' }] } }],
      { ...ann, emails: [{ value: 'n@example.com' }] },
    ],
    [
      'of attributes that are not kept',
      [
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Docs' },
        { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '1' },
        { op: 'replace', path: '__proto__.polluted', value: 'yes' },
        { op: 'replace', path: 'id', value: 'other' },
      ],
      ann,
    ],
  ])('%s', (_, operations, expected) => {
    expect(patch(ann, operations)).toEqual(expected);
    expect(({} as Fields)['polluted']).toBeUndefined();
  });

  it('is refused with the type of what is wrong', () => {
    const type = (operation: unknown) =>
      refusedFor(() => readChangedUser(patched(userKind, ann, { schemas, Operations: [operation] }), work.value));
    expect(type({ op: 'move', path: 'active' })).toBe('invalidSyntax');
    expect(type({ op: 'replace', path: 'active', value: 'maybe' })).toBe('invalidValue');
    expect(type({ op: 'replace', path: 'userName', value: { a: 1 } })).toBe('invalidValue');
    expect(type({ op: 'replace', path: 'emails[', value: 'x' })).toBe('invalidPath');
    expect(type({ op: 'replace', path: 'active[value eq "x"]', value: true })).toBe('invalidPath');
    expect(type({ op: 'replace', path: 'emails[type zz "x"].value', value: 'x' })).toBe('invalidFilter');
    expect(type({ op: 'replace', path: 'emails[type sw "x"].value', value: 'x' })).toBe('noTarget');
    expect(type({ op: 'remove' })).toBe('noTarget');
    for (const op of ['add', 'replace'])
      for (const path of ['displayName', 'active', undefined]) expect(type({ op, path })).toBe('invalidValue');
    expect(type({ op: 'replace', path: 'emails', value: [{ value: 'new@example.com' }] })).toBe('mutability');
    expect(refusedFor(() => patched(userKind, ann, { Operations: [] }))).toBe('invalidSyntax');
    expect(refusedFor(() => readResource(userKind, []))).toBe('invalidSyntax');
  });
});

describe('a PATCH of a group', () => {
  const members = (operations: unknown) => patch(writers, operations, groupKind)['members'];

  it('adds, removes and replaces members, each once', () => {
    expect(members([{ op: 'add', path: 'members', value: [{ value: 'b' }, { value: 'c' }] }])).toEqual([
      { value: 'a' },
      { value: 'b' },
      { value: 'c' },
    ]);
    expect(members([{ op: 'remove', path: 'members[value eq "a"]' }])).toEqual([{ value: 'b' }]);
    expect(members([{ op: 'Remove', path: 'members', value: [{ value: 'b' }] }])).toEqual([{ value: 'a' }]);
    expect(members([{ op: 'replace', path: 'members', value: [{ value: 'z' }] }])).toEqual([{ value: 'z' }]);
    expect(members([{ op: 'remove', path: 'members' }])).toBeUndefined();
    const { fields, wrong } = patched(groupKind, writers, {
      schemas,
      Operations: [{ op: 'replace', path: 'members' }],
    });
    expect([fields, [...wrong.keys()]]).toEqual([writers, ['Operations.0.value']]);
  });

  it('takes a thousand changes of a long list, but not with filters that look at each value', () => {
    const many = { ...writers, members: Array.from({ length: 10_000 }, (_, n) => ({ value: `u${n}` })) };
    const removals = (filter: string) =>
      Array.from({ length: 1_000 }, (_, n) => ({ op: 'remove', path: `members[value ${filter} "u${n}"]` }));
    expect(patch(many, removals('eq'), groupKind)['members']).toHaveLength(9_000);
    expect(refusedFor(() => patch(many, removals('ew'), groupKind))).toBe('tooMany');
  });

  it('leaves the given resource as it is', () => {
    const before = structuredClone(writers);
    patch(writers, [{ op: 'remove', path: 'members[value eq "a"]' }], groupKind);
    expect(writers).toEqual(before);
  });
});
