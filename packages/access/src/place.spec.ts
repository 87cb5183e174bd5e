import { describe, expect, it } from '@jest/globals';
import { placeOf, type MembershipFacts, type OrganizationFacts } from './place.js';

const organization: OrganizationFacts = { deleted: false, enforced: false, activeProviders: [] };
const member: MembershipFacts = {
  organization: 'o',
  user: 'ann',
  membership: 'm1',
  role: 'edit',
  kind: 'person',
  providers: [],
  disabled: false,
};
const place = { organization: 'o', user: 'ann', membership: 'm1', role: 'edit', withoutSSO: false };

describe('the place of a caller in an organization', () => {
  it('has the role of their membership', () => {
    expect(placeOf({}, organization, member)).toEqual(place);
    expect(placeOf({ organization: 'o' }, organization, member)).toEqual(place);
    expect(placeOf({}, organization, { ...member, role: null })).toEqual({ ...place, role: null });
  });

  it('is null without an organization or membership, and for a disabled member', () => {
    expect(placeOf({}, null, member)).toBeNull();
    expect(placeOf({}, { ...organization, deleted: true }, member)).toBeNull();
    expect(placeOf({}, organization, null)).toBeNull();
    expect(placeOf({}, organization, { ...member, disabled: true })).toBeNull();
  });

  it('is null for a token that is bound to another organization', () => {
    expect(placeOf({ organization: 'other' }, organization, member)).toBeNull();
  });

  it('lacks single sign-on when it is enforced and the member has no identity at an active provider', () => {
    const enforcing = { ...organization, enforced: true, activeProviders: ['idp'] };
    const lacks = (of: Partial<MembershipFacts>, facts: OrganizationFacts = enforcing) =>
      placeOf({}, facts, { ...member, ...of })?.withoutSSO;
    expect(lacks({})).toBe(true);
    expect(lacks({ role: 'admin' })).toBe(true);
    expect(lacks({ providers: ['gone'] })).toBe(true);
    expect(lacks({ providers: ['gone', 'idp'] })).toBe(false);
    expect(lacks({}, organization)).toBe(false);
  });

  it('does not lack single sign-on for guests and service accounts', () => {
    const enforcing = { ...organization, enforced: true, activeProviders: ['idp'] };
    expect(placeOf({}, enforcing, { ...member, role: null })?.withoutSSO).toBe(false);
    expect(placeOf({}, enforcing, { ...member, kind: 'service' })?.withoutSSO).toBe(false);
  });
});
