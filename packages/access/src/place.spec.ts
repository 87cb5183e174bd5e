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
  it('is that of their membership', () => {
    expect(placeOf({}, organization, member)).toEqual(place);
    expect(placeOf({ organization: 'o' }, organization, member)).toEqual(place);
    expect(placeOf({}, organization, { ...member, role: null })).toEqual({ ...place, role: null });
  });

  it('is none without an organization, a membership, or with a disabled one', () => {
    expect(placeOf({}, null, member)).toBeNull();
    expect(placeOf({}, { ...organization, deleted: true }, member)).toBeNull();
    expect(placeOf({}, organization, null)).toBeNull();
    expect(placeOf({}, organization, { ...member, disabled: true })).toBeNull();
  });

  it('is none for a token that is good for another organization', () => {
    expect(placeOf({ organization: 'other' }, organization, member)).toBeNull();
  });

  it('says that enforced single sign-on is missing, unless an identity at an active provider stands for the member', () => {
    const enforcing = { ...organization, enforced: true, activeProviders: ['idp'] };
    const lacks = (of: Partial<MembershipFacts>, facts: OrganizationFacts = enforcing) =>
      placeOf({}, facts, { ...member, ...of })?.withoutSSO;
    expect(lacks({})).toBe(true);
    expect(lacks({ role: 'admin' })).toBe(true);
    expect(lacks({ providers: ['gone'] })).toBe(true);
    expect(lacks({ providers: ['gone', 'idp'] })).toBe(false);
    expect(lacks({}, organization)).toBe(false);
  });

  it('asks no single sign-on of guests and service accounts', () => {
    const enforcing = { ...organization, enforced: true, activeProviders: ['idp'] };
    expect(placeOf({}, enforcing, { ...member, role: null })?.withoutSSO).toBe(false);
    expect(placeOf({}, enforcing, { ...member, kind: 'service' })?.withoutSSO).toBe(false);
  });
});
