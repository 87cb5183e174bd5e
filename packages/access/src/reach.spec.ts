import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { installationReach } from './installation-reach.projection.js';
import { installationStatus, requiredIn } from './installation-status.js';
import { integrationReach } from './integration-reach.projection.js';

const meta = { organization: 'o', time: '2026-01-02T03:04:05.006Z' };
const of =
  (entityId: string) =>
  (type: string, data: object): SampleEvent => ({ type, data, entityId, meta });
const account = {
  properties: {
    key: { type: 'string' },
    region: { type: 'string', default: 'eu' },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Log in' },
  },
  required: ['key', 'region', 'login'],
};
const published = of('slack')('IntegrationPublished', {
  name: 'slack',
  version: 3,
  organization: 'p',
  title: 'Slack',
  description: '',
  summary: '',
  runtime: 'v2',
  visibility: 'private',
  target: 'all',
  scopes: ['space:content:read'],
  categories: [],
  blocks: [],
  contentSources: [],
  configurations: { account },
  externalLinks: [],
  contentSecurityPolicy: null,
  script: 's',
  icon: null,
  previews: [],
  secrets: null,
  replacedSecrets: null,
});
const unpublished = of('slack')('IntegrationUnpublished', { name: 'slack' });
const installed = of('o')('IntegrationInstalled', {
  installation: 'i',
  integration: 'slack',
  name: 'slack',
  version: 1,
  grantedScopes: [],
  spaceSelection: 'selected',
  siteSelection: 'all',
  configuration: null,
  set: [],
  externalIds: [],
  status: 'pending',
});
const ended = of('o')('IntegrationUninstalled', { installation: 'i', integration: 'slack', reason: 'uninstalled' });
const change = of('i');

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('what installations of integrations reach', () => {
  it('depends on what the published version asks for', () => {
    const demands = { name: 'slack', organization: 'p', version: 3, scopes: ['space:content:read'] };
    expect(redelivered(integrationReach, [published]).get('slack')).toEqual({ ...demands, required: ['key', 'login'] });
    expect(redelivered(integrationReach, [published, unpublished]).size).toBe(0);
  });

  it('follows from what is granted, set and selected', () => {
    const events = [
      change('InstallationConfigured', { configuration: 'c', set: ['key'], previous: null, status: 'pending' }),
      change('InstallationScopesGranted', { scopes: ['space:content:read'], version: 3, status: 'pending' }),
      change('InstallationSelectionChanged', { spaceSelection: 'all' }),
      change('SpaceInstallationAdded', { space: 's' }),
      change('SpaceInstallationAdded', { space: 't' }),
      change('SpaceInstallationRemoved', { space: 's' }),
      change('SiteInstallationAdded', { site: 'u' }),
      change('SiteInstallationRemoved', { site: 'u' }),
    ];
    expect(redelivered(installationReach, [installed, ...events]).get('i')).toEqual({
      integration: 'slack',
      organization: 'o',
      granted: ['space:content:read'],
      set: ['key'],
      spaceSelection: 'all',
      siteSelection: 'all',
      spaces: ['t'],
      sites: [],
    });
    expect(redelivered(installationReach, [installed, ...events, ended]).size).toBe(0);
    expect(redelivered(installationReach, [installed, unpublished]).size).toBe(0);
  });

  it('is nothing but the installation itself while something is missing', () => {
    const demands = { scopes: ['site:views:read'], required: ['key'] } as const;
    const status = (granted: readonly 'site:views:read'[], set: string[]) =>
      installationStatus({ granted, set }, demands);
    expect(status(['site:views:read'], ['key', 'other'])).toBe('active');
    expect(status([], ['key'])).toBe('pending');
    expect(status(['site:views:read'], [])).toBe('pending');
  });

  it('needs no property that has a default, or that a component asks for', () => {
    expect(requiredIn(account)).toEqual(['key', 'login']);
    expect(requiredIn({ ...account, required: ['toString'] })).toEqual([]);
    expect(requiredIn({ componentId: 'c' })).toEqual([]);
    expect(requiredIn(undefined)).toEqual([]);
  });
});
