import { describe, expect, it } from '@jest/globals';
import { limitPresets } from '@scriptorium/contracts';
import { ConfigError, limitsOf, parseConfig, serviceSettings } from './config.js';

const good = {
  NATS_URL: 'nats://127.0.0.1:4222',
  EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:27017',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  SECRET_KEYS: 'k1:x',
};

describe('settings', () => {
  it('have defaults, also when a variable is empty', () => {
    expect(parseConfig(serviceSettings, { ...good, LOG_LEVEL: '', ADMIN_PORT: '9000' })).toMatchObject({
      NAMESPACE: 'scriptorium',
      LOG_LEVEL: 'info',
      ADMIN_PORT: 9000,
    });
  });

  it.each(['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover', 'kurrent', 'kdb', 'kdb+discover'])(
    'take an address of the log with the scheme %s',
    (scheme) => {
      const EVENTSTORE_URL = `${scheme}://127.0.0.1:2113?tls=false`;
      expect(parseConfig(serviceSettings, { ...good, EVENTSTORE_URL })).toMatchObject({ EVENTSTORE_URL });
    },
  );

  it('include each limit of the contract, with its default', () => {
    expect(limitsOf(parseConfig(serviceSettings, good))).toEqual(limitPresets);
    expect(limitsOf(parseConfig(serviceSettings, { ...good, MAX_TOKENS_PER_USER: '7' }))).toEqual({
      ...limitPresets,
      tokensPerUser: 7,
    });
  });

  it.each([
    [{ ADMIN_PORT: 'many' }, /^ADMIN_PORT: /],
    [{ ADMIN_PORT: '70000' }, /^ADMIN_PORT: /],
    [{ NAMESPACE: 'Not A Name' }, /^NAMESPACE: /],
    [{ MONGODB_URL: 'http://x' }, /^MONGODB_URL: /],
    [{ MAX_TEAMS_PER_ORGANIZATION: '0' }, /^MAX_TEAMS_PER_ORGANIZATION: /],
    [{ MAX_MEMBERS_PER_TEAM: 'lots' }, /^MAX_MEMBERS_PER_TEAM: /],
    [{ MAX_EMAIL_DOMAINS_PER_ORGANIZATION: '501' }, /^MAX_EMAIL_DOMAINS_PER_ORGANIZATION: /],
    [{ NATS_URL: undefined }, /^NATS_URL is not set$/],
    [{ EVENTSTORE_URL: 'http://127.0.0.1:2113' }, /^EVENTSTORE_URL: Must be an esdb:\/\/ or kurrentdb:\/\/ URL$/],
  ])('that are invalid are named in the error: %j', (wrong, message) => {
    expect(() => parseConfig(serviceSettings, { ...good, ...wrong })).toThrow(ConfigError);
    expect(() => parseConfig(serviceSettings, { ...good, ...wrong })).toThrow(message);
  });
});
