import { describe, expect, it } from '@jest/globals';
import { Addresses } from './addresses.process.js';

const base = { api: 'https://api.example/v1', app: 'https://app.example', content: 'https://files.example/' };
const own = new Addresses({ ...base, origin: 'https://*.integrations.example' });

describe('the addresses of integrations', () => {
  it('have a host of their own for each integration', () => {
    const { publicEndpoint, publicContentEndpoint } = own.endpoints('Slack_2.0');
    expect(publicEndpoint).toMatch(
      /^https:\/\/slack20-[a-z2-7]{10}\.integrations\.example\/v1\/integrations\/Slack_2\.0\/integration$/,
    );
    expect(new URL(publicContentEndpoint).pathname).toBe('/v1/integrations/Slack_2.0/content');
    const hosts = ['slack', 'Slack', 'slack.', '-', '...', 'x'.repeat(100)].map(
      (name) => new URL(own.endpoints(name).publicEndpoint).hostname,
    );
    expect(new Set(hosts).size).toBe(hosts.length);
    for (const host of hosts) expect(host).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.integrations\.example$/);
  });

  it('share one host where the setting has no place for another', () => {
    const shared = new Addresses({ ...base, origin: 'https://run.example' });
    expect(shared.endpoints('slack').publicEndpoint).toBe('https://run.example/v1/integrations/slack/integration');
  });

  it('name the installation, and the space or site', () => {
    const path = (...place: Parameters<Addresses['endpoints']>) =>
      new URL(own.endpoints(...place).publicEndpoint).pathname;
    expect(path('slack', { installation: 'i' })).toBe('/v1/integrations/slack/installations/i');
    const target = { kind: 'site', id: 's' } as const;
    expect(path('slack', { installation: 'i', target })).toBe('/v1/integrations/slack/installations/i/sites/s');
    expect(own.target('slack', 'i', target)).toBe('https://api.example/v1/integrations/slack/installations/i/sites/s');
    expect(own.image('id', { hash: 'h', type: 'image/jpeg' })).toBe(
      'https://files.example/integrations/id/h/image.jpg',
    );
  });
});
