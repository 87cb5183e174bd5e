import { describe, expect, it } from '@jest/globals';
import { Publishing, siteAddress } from './addresses.js';

const urls = { appUrl: 'https://app.example.com', apiUrl: 'https://api.example.com/v1' };
const plain = { _id: 'site_1', basename: 'docs', proxy: null, hostname: null, isHostnameVerified: false };

describe('where sites are published', () => {
  const below = new Publishing({ domain: 'docs.example', ...urls });
  const byId = new Publishing({ domain: 'docs.example', origin: 'https://sites.example.com/', ...urls });

  it('is below the domain, or at the origin at which the reader shows them', () => {
    expect(siteAddress(below.place, 'acme', plain)).toBe('https://acme.docs.example/docs/');
    expect(siteAddress(byId.place, 'acme', plain)).toBe('https://sites.example.com/~site/site_1/');
  });

  it('is at the proxy or the verified hostname of a site that has one', () => {
    expect(siteAddress(byId.place, 'acme', { ...plain, proxy: 'acme.com/docs' })).toBe('https://acme.com/docs/');
    const own = { ...plain, hostname: 'docs.acme.com' };
    expect(siteAddress(byId.place, 'acme', own)).toBe('https://sites.example.com/~site/site_1/');
    expect(siteAddress(byId.place, 'acme', { ...own, isHostnameVerified: true })).toBe('https://docs.acme.com/');
  });

  it('reserves hosts that no site can take', () => {
    const hosts = ['app.example.com', 'api.example.com', 'sites.example.com', 'docs.example', 'a.docs.example'];
    expect(hosts.filter((host) => !byId.isOwnHost(host))).toEqual([]);
    expect(['example.com', 'notdocs.example'].filter((host) => byId.isOwnHost(host))).toEqual([]);
    expect(['app.example.com', 'sites.example.com'].filter((host) => !byId.showsById(host))).toEqual([]);
    expect([byId.showsById('api.example.com'), below.showsById('sites.example.com')]).toEqual([false, false]);
  });
});
