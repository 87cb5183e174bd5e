import { describe, expect, it } from '@jest/globals';
import { isCoveredBy } from './endpoints.js';

describe('an origin of integrations', () => {
  it.each([
    ['https://*.example.org', 'https://docs.example.org', true],
    ['https://*.example.org', 'http://Files.Example.org:8081/x', true],
    ['https://*.example.org:8443', 'https://a.b.example.org', true],
    ['https://*.example.org', 'https://example.org', false],
    ['https://*.example.org', 'https://docsexample.org', false],
    ['https://*.integrations.example.org', 'https://docs.example.org', false],
    ['http://*.integrations.localhost:8083', 'http://127.0.0.1:8080', false],
    ['https://docs.example.org', 'https://docs.example.org', false],
  ])('%s covers the host of %s: %s', (origin, address, expected) => {
    expect(isCoveredBy(origin, address)).toBe(expected);
  });
});
