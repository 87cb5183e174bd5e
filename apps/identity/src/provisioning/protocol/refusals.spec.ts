import { describe, expect, it } from '@jest/globals';
import { AppError, limitReached } from '@scriptorium/contracts';
import { readSearch } from '../search.process.js';
import { readQuery } from './answers.js';
import { patched } from './patch.js';
import { detailOf, scimTypeOf } from './refusal.js';
import { userKind } from './resource.js';
import { readGroup, readUser } from './wishes.js';

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
    ['a missing name', () => readUser({}), 'invalidValue', 'userName is missing'],
    [
      'a long name',
      () => readUser({ userName: 'n'.repeat(255) }),
      'invalidValue',
      'userName must have at most 254 characters',
    ],
    [
      'no address',
      () => readUser({ userName: 'n', emails: [{ value: 'none' }] }),
      'invalidValue',
      'emails.0.value must be an e-mail address',
    ],
    [
      'control characters',
      () => readGroup({ displayName: 'a\u0007' }),
      'invalidValue',
      'displayName must not contain control characters',
    ],
    [
      'a member without an id',
      () => readGroup({ displayName: 'g', members: [{}] }),
      'invalidValue',
      'members.0.value is missing',
    ],
    ['a PATCH that is none', () => patched(userKind, {}, []), 'invalidSyntax', 'The body must be an object'],
    [
      'another schema',
      () => patched(userKind, {}, { schemas: [], Operations: [{ op: 'add' }] }),
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
      () => patched(userKind, {}, patchWith({ op: 'move' })),
      'invalidSyntax',
      'Operations.0.op must be one of add, replace, remove',
    ],
    [
      'a path that is no text',
      () => patched(userKind, {}, patchWith({ op: 'add', path: 1 })),
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

  it('names a limit in words', () => {
    expect(detailOf(limitReached('membersPerOrganization', 3))).toBe('At most 3 members of an organization');
  });
});
