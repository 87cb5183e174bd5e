import { describe, expect, it } from '@jest/globals';
import { checkDomainJoining, domainOf, ownsDomain, type DomainJoining } from './join-by-domain.js';

const acme = { emailDomains: ['acme.example'], admins: ['boss@acme.example'], sso: false };
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

  it('does not count a domain that no admin has an address of', () => {
    expectRefusal({ ...acme, admins: ['boss@elsewhere.example'], email: 'ann@acme.example' }, 'email_domain_not_allowed');
    expect(ownsDomain('acme.example', { ...acme, admins: [] })).toBe(false);
  });

  it('sends people of the domain to single sign-on where that is required', () => {
    expectRefusal({ ...acme, sso: true, email: 'ann@acme.example' }, 'sso_required');
    expectRefusal({ ...acme, sso: true, email: 'ann@other.example' }, 'email_domain_not_allowed');
  });

  it('compares what follows the last @', () => {
    expect(domainOf('a@b@C.example')).toBe('c.example');
  });
});
