import { describe, expect, it } from '@jest/globals';
import { checkDomainJoining, type DomainJoining } from './join-by-domain.js';
import { domainOf, ownsDomain } from '../../read-models/email-domains.js';

const boss = { user: 'boss', email: 'boss@acme.example' };
const acme = {
  emailDomains: ['acme.example'],
  claims: [{ domain: 'acme.example', user: 'boss' }],
  unclaimedDomains: [],
  admins: [boss],
  sso: false,
};
const expectRefusal = (joining: DomainJoining, reason: string) =>
  expect(() => checkDomainJoining(joining)).toThrow(expect.objectContaining({ reason }));

describe('joining by the domain of an address', () => {
  it('admits verified addresses of a domain that is the organization’s own', () => {
    expect(() => checkDomainJoining({ ...acme, email: 'Ann@ACME.example' })).not.toThrow();
  });

  it('refuses all others', () => {
    const refused = 'email_domain_not_allowed';
    expectRefusal({ ...acme, email: null }, refused);
    expectRefusal({ ...acme, email: 'ann@other.example' }, refused);
    expectRefusal({ ...acme, email: 'ann@sub.acme.example' }, refused);
    expectRefusal({ ...acme, email: 'ann@notacme.example' }, refused);
    expectRefusal({ ...acme, email: '"x@acme.example"@other.example' }, refused);
  });

  it('does not count a domain that no admin with an address there has claimed', () => {
    const elsewhere = [{ user: 'boss', email: 'boss@elsewhere.example' }];
    expectRefusal({ ...acme, admins: elsewhere, email: 'ann@acme.example' }, 'email_domain_not_allowed');
    expect(ownsDomain('acme.example', { ...acme, admins: [] })).toBe(false);
    expect(ownsDomain('acme.example', { ...acme, claims: [] })).toBe(false);
    const other = { user: 'other', email: 'other@acme.example' };
    expect(ownsDomain('acme.example', { ...acme, admins: [other] })).toBe(false);
  });

  it('counts a domain that a version without claims has recorded while an admin has an address there', () => {
    const before = { ...acme, claims: [], unclaimedDomains: ['acme.example'] };
    expect(ownsDomain('acme.example', before)).toBe(true);
    expect(ownsDomain('acme.example', { ...before, admins: [] })).toBe(false);
  });

  it('sends people of the domain to single sign-on where that is required', () => {
    expectRefusal({ ...acme, sso: true, email: 'ann@acme.example' }, 'sso_required');
    expectRefusal({ ...acme, sso: true, email: 'ann@other.example' }, 'email_domain_not_allowed');
  });

  it('compares what follows the last @', () => {
    expect(domainOf('a@b@C.example')).toBe('c.example');
  });
});
