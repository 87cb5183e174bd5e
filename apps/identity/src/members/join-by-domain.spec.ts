import { describe, expect, it } from '@jest/globals';
import { checkDomainJoining, domainOf, ownsDomain } from './join-by-domain.js';

const acme = { emailDomains: ['acme.example'], admins: ['boss@acme.example'], sso: false };
const refusal = (joining: Parameters<typeof checkDomainJoining>[0]) => expect(() => checkDomainJoining(joining)).toThrow;

describe('joining by the domain of an address', () => {
  it('admits verified addresses of a domain that is the organization’s own', () => {
    expect(() => checkDomainJoining({ ...acme, email: 'Ann@ACME.example' })).not.toThrow();
  });

  it('refuses all others', () => {
    const refused = expect.objectContaining({ reason: 'email_domain_not_allowed' });
    refusal({ ...acme, email: null })(refused);
    refusal({ ...acme, email: 'ann@other.example' })(refused);
    refusal({ ...acme, email: 'ann@sub.acme.example' })(refused);
    refusal({ ...acme, email: 'ann@notacme.example' })(refused);
    refusal({ ...acme, email: '"x@acme.example"@other.example' })(refused);
  });

  it('does not count a domain that no admin has an address of', () => {
    refusal({ ...acme, admins: ['boss@elsewhere.example'], email: 'ann@acme.example' })(expect.objectContaining({ reason: 'email_domain_not_allowed' }));
    expect(ownsDomain('acme.example', { ...acme, admins: [] })).toBe(false);
  });

  it('sends people of the domain to single sign-on where that is required', () => {
    refusal({ ...acme, sso: true, email: 'ann@acme.example' })(expect.objectContaining({ reason: 'sso_required' }));
    refusal({ ...acme, sso: true, email: 'ann@other.example' })(expect.objectContaining({ reason: 'email_domain_not_allowed' }));
  });

  it('compares what follows the last @', () => {
    expect(domainOf('a@b@C.example')).toBe('c.example');
  });
});
