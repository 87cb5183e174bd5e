import { describe, expect, it } from '@jest/globals';
import { checkDomainJoining, type DomainJoining } from './join-by-domain.js';
import { domainOf, ownsDomain } from '../email-domains/email-domains.js';

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

describe('joining by e-mail domain', () => {
  it('admits verified addresses of a domain that the organization owns', () => {
    expect(() => checkDomainJoining({ ...acme, email: 'Ann@ACME.example' })).not.toThrow();
  });

  it('refuses unverified addresses, other domains and subdomains', () => {
    const refused = 'email_domain_not_allowed';
    expectRefusal({ ...acme, email: null }, refused);
    expectRefusal({ ...acme, email: 'ann@other.example' }, refused);
    expectRefusal({ ...acme, email: 'ann@sub.acme.example' }, refused);
    expectRefusal({ ...acme, email: 'ann@notacme.example' }, refused);
    expectRefusal({ ...acme, email: '"x@acme.example"@other.example' }, refused);
  });

  it('requires that an admin with an address of the domain has claimed it', () => {
    const elsewhere = [{ user: 'boss', email: 'boss@elsewhere.example' }];
    expectRefusal({ ...acme, admins: elsewhere, email: 'ann@acme.example' }, 'email_domain_not_allowed');
    expect(ownsDomain('acme.example', { ...acme, admins: [] })).toBe(false);
    expect(ownsDomain('acme.example', { ...acme, claims: [] })).toBe(false);
    const other = { user: 'other', email: 'other@acme.example' };
    expect(ownsDomain('acme.example', { ...acme, admins: [other] })).toBe(false);
  });

  it('accepts a domain that an earlier version recorded without a claim, while an admin has an address there', () => {
    const before = { ...acme, claims: [], unclaimedDomains: ['acme.example'] };
    expect(ownsDomain('acme.example', before)).toBe(true);
    expect(ownsDomain('acme.example', { ...before, admins: [] })).toBe(false);
  });

  it('refers people of the domain to single sign-on when it is enforced', () => {
    expectRefusal({ ...acme, sso: true, email: 'ann@acme.example' }, 'sso_required');
    expectRefusal({ ...acme, sso: true, email: 'ann@other.example' }, 'email_domain_not_allowed');
  });

  it('takes the domain to be the part of the address after the last @', () => {
    expect(domainOf('a@b@C.example')).toBe('c.example');
  });
});
