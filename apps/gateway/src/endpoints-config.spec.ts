import { describe, expect, it } from '@jest/globals';
import { endpointsConfig } from './endpoints-config.js';

const given = { HOST: '127.0.0.1', PORT: 8080, INTEGRATIONS_PORT: 8083, MAX_ENDPOINT_REQUESTS: 200 };
const files = 'https://files.example.org';
const configOf = (INTEGRATIONS_ORIGIN: string, PUBLIC_URL = 'https://docs.example.org') =>
  endpointsConfig({ ...given, INTEGRATIONS_ORIGIN, PUBLIC_URL }, files);

describe('where scripts of integrations answer', () => {
  it('is an origin that has nothing else', () => {
    expect(configOf('https://*.run.example.org')).toMatchObject({
      origin: 'https://run.example.org',
      hosts: ['.run.example.org'],
    });
    expect(() => configOf('https://docs.example.org')).toThrow('Must not be the origin of PUBLIC_URL');
    expect(() => configOf(files)).toThrow('Must not be the origin of CONTENT_ORIGIN');
  });

  it('covers neither the host of the API nor that of files', () => {
    expect(() => configOf('https://*.example.org')).toThrow(
      'INTEGRATIONS_ORIGIN: https://*.example.org must not cover the host of PUBLIC_URL, https://docs.example.org',
    );
    expect(() => configOf('https://*.example.org', 'https://docs.example.com')).toThrow(
      'INTEGRATIONS_ORIGIN: https://*.example.org must not cover the host of CONTENT_ORIGIN',
    );
  });
});
