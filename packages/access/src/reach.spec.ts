import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { activeSince, allowedSince, isActiveFor } from './active-installations.js';
import { installationReach, reachedSince } from './installation-reach.projection.js';
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
    expect(redelivered(integrationReach, [published]).get('slack')).toEqual({
      ...demands,
      required: ['key', 'login'],
      generation: 0,
    });
    const rotated = of('slack')('IntegrationSigningRotated', { generation: 1 });
    expect(redelivered(integrationReach, [published, rotated, published]).get('slack')?.generation).toBe(1);
    expect(redelivered(integrationReach, [rotated]).size).toBe(0);
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
      spaces: [{ id: 't', since: expect.any(Number) }],
      sites: [],
      allSpacesSince: expect.any(Number),
      allSitesSince: expect.any(Number),
      paused: null,
      generation: 0,
      signing: { generation: 0, since: null },
      since: expect.any(Number),
    });
    expect(redelivered(installationReach, [installed, ...events, ended]).size).toBe(0);
    expect(redelivered(installationReach, [installed, unpublished]).size).toBe(0);
  });

  it('begins where it was selected, and not before it was active', () => {
    const since = (events: SampleEvent[], kind: 'space' | 'site', id: string) => {
      const reach = redelivered(installationReach, [installed, ...events]).get('i');
      return reach === undefined ? undefined : reachedSince(reach, { kind, id });
    };
    const positionOf = (n: number) => n * 10;
    const added = change('SpaceInstallationAdded', { space: 's' });
    expect(since([], 'space', 's')).toBeNull();
    expect(since([added], 'space', 's')).toBe(positionOf(1));
    expect(since([], 'site', 'any')).toBe(positionOf(0));
    const all = change('InstallationSelectionChanged', { spaceSelection: 'all' });
    const selected = change('InstallationSelectionChanged', { spaceSelection: 'selected' });
    expect(since([added, all], 'space', 's')).toBe(positionOf(1));
    expect(since([added, all], 'space', 't')).toBe(positionOf(2));
    const known = change('SpaceInstallationExternalIdsChanged', { space: 't', externalIds: ['x'] });
    expect(since([all, known, selected], 'space', 't')).toBe(positionOf(1));
    expect(since([all, known, selected], 'space', 'u')).toBeNull();
    const statuses = { status: 'active', statusBefore: 'pending' };
    const active = change('InstallationConfigured', { configuration: 'c', set: ['key'], previous: null, ...statuses });
    expect(since([added, active], 'space', 's')).toBe(positionOf(2));
    const again = change('InstallationScopesGranted', {
      scopes: [],
      version: 2,
      status: 'active',
      statusBefore: 'active',
    });
    expect(since([added, active, again], 'space', 's')).toBe(positionOf(2));
  });

  it('is paused and resumed, and has tokens of another generation then', () => {
    const paused = change('InstallationPaused', { reason: 'failures' });
    const events = [paused, change('InstallationResumed', { status: 'active' })];
    expect(redelivered(installationReach, [installed, paused]).get('i')).toMatchObject({
      paused: 'failures',
      generation: 1,
    });
    expect(redelivered(installationReach, [installed, ...events]).get('i')).toMatchObject({
      paused: null,
      generation: 1,
      since: 20,
    });
    const rotated = change('InstallationSigningRotated', { generation: 1 });
    expect(redelivered(installationReach, [installed, ...events, rotated]).get('i')).toMatchObject({
      generation: 2,
      signing: { generation: 1, since: meta.time },
    });
  });

  it('is nothing but the installation itself while something is missing', () => {
    const demands = { scopes: ['site:views:read'], required: ['key'] } as const;
    const status = (granted: readonly 'site:views:read'[], set: string[]) =>
      installationStatus({ granted, set }, demands);
    expect(status(['site:views:read'], ['key', 'other'])).toBe('active');
    expect(status([], ['key'])).toBe('pending');
    expect(installationStatus({ granted: [], set: [], paused: 'failures' }, demands)).toBe('paused');
    expect(status(['site:views:read'], [])).toBe('pending');
  });

  it('is what its scope is for, on what it selects, while it is active', () => {
    const integration = redelivered(integrationReach, [published]).get('slack');
    const installation = (events: SampleEvent[]) => {
      const reach = redelivered(installationReach, [installed, ...events]).get('i');
      if (reach === undefined || integration === undefined) throw new Error('It is not there');
      return { id: 'i', reach, integration };
    };
    const need = { scope: 'space:content:read', target: { kind: 'space', id: 's' } } as const;
    const granted = change('InstallationScopesGranted', { scopes: [need.scope], version: 3, status: 'pending' });
    const added = change('SpaceInstallationAdded', { space: 's' });
    const set = {
      configuration: 'c',
      set: ['key', 'login'],
      previous: null,
      status: 'active',
      statusBefore: 'pending',
    };
    const active = [granted, added, change('InstallationConfigured', set)];
    const found = installation(active);
    expect([isActiveFor(found, need), activeSince(found, need)]).toEqual([true, 30]);
    expect(isActiveFor(found, { ...need, scope: 'space:metadata:read' })).toBe(false);
    expect(isActiveFor(found, { ...need, target: { kind: 'space', id: 'other' } })).toBe(false);
    const paused = installation([...active, change('InstallationPaused', { reason: 'failures' })]);
    for (const one of [paused, installation([granted, added])])
      expect([isActiveFor(one, need), allowedSince(one, need)]).toEqual([false, expect.any(Number)]);
    expect(allowedSince(installation([added]), need)).toBeNull();
  });

  it('needs no property that has a default, or that a component asks for', () => {
    expect(requiredIn(account)).toEqual(['key', 'login']);
    expect(requiredIn({ ...account, required: ['toString'] })).toEqual([]);
    expect(requiredIn({ componentId: 'c' })).toEqual([]);
    expect(requiredIn(undefined)).toEqual([]);
  });
});
