import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { securityContact, securitySettings, securityText } from './security-contact.js';

const settings = z.object(securitySettings);

describe('the contact for reports of weaknesses', () => {
  it.each([['https://docs.test/report'], ['mailto:security@docs.test'], ['tel:+1-201-555-0123']])(
    'may be %s',
    (contact) => {
      expect(settings.parse({ SECURITY_CONTACT: contact })).toEqual({ SECURITY_CONTACT: contact });
    },
  );

  it.each([['security@docs.test'], ['http://docs.test/report'], ['mailto:a@b.test\r\nExpires: never'], ['']])(
    'may not be %j',
    (contact) => {
      const { error } = settings.safeParse({ SECURITY_CONTACT: contact });
      expect(error?.issues).toMatchObject([
        { path: ['SECURITY_CONTACT'], message: 'Must begin with https://, mailto: or tel:' },
      ]);
    },
  );

  it('has a canonical address if the public one has https', () => {
    const canonicalOf = (PUBLIC_URL?: string) => securityContact({ SECURITY_CONTACT: 'tel:1', PUBLIC_URL })?.canonical;
    expect(canonicalOf('https://docs.test/')).toBe('https://docs.test/.well-known/security.txt');
    expect(canonicalOf('http://docs.test')).toBeUndefined();
    expect(canonicalOf()).toBeUndefined();
    expect(securityContact({ PUBLIC_URL: 'https://docs.test' })).toBeUndefined();
  });

  it('expires half a year after the day on which it is read', () => {
    const text = securityText({ contact: 'tel:1', canonical: undefined }, Date.parse('2026-03-01T23:59:59.5Z'));
    expect(text).toBe('Contact: tel:1\r\nExpires: 2026-08-28T00:00:00Z\r\n');
  });
});
