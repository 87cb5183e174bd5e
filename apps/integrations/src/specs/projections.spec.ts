import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { installations, targetEntries } from '../installations/index.js';
import { lastInstallations, lastIntegrations, outbox } from '../outbox/index.js';
import { knownSites, knownSpaces, siteShowings } from '../places/index.js';
import { devModes } from '../dev-mode/index.js';
import { integrations } from '../publishing/index.js';
import { webhooks } from '../webhooks/index.js';

const time = '2026-01-02T03:04:05.006Z';
const on =
  (entityId: string) =>
  (type: string, data: object): SampleEvent => ({ type, data, entityId, meta: { organization: 'o', time } });
const roster = on('o');
const installation = on('i');
const published = on('slack')('IntegrationPublished', {
  name: 'Slack',
  version: 2,
  organization: 'p',
  title: 'Slack Bot',
  description: '',
  summary: '',
  runtime: 'v1',
  visibility: 'public',
  target: 'all',
  scopes: [],
  categories: [],
  blocks: [{ id: 'b', title: 'Block', urlUnfurl: ['https://*.Example.com/**', 'https://a.example:1/x', 'b.example'] }],
  contentSources: [],
  configurations: {},
  externalLinks: [],
  contentSecurityPolicy: null,
  script: 's',
  icon: null,
  previews: [],
  secrets: null,
  replacedSecrets: null,
});
const unpublished = on('slack')('IntegrationUnpublished', { name: 'Slack' });
const installed = roster('IntegrationInstalled', {
  installation: 'i',
  integration: 'slack',
  name: 'Slack',
  version: 1,
  grantedScopes: [],
  spaceSelection: 'selected',
  siteSelection: 'selected',
  configuration: null,
  set: [],
  externalIds: [],
  status: 'active',
});
const uninstalled = roster('IntegrationUninstalled', {
  installation: 'i',
  integration: 'slack',
  reason: 'uninstalled',
});
const configured = { configuration: 'c', set: ['key'], previous: null, status: 'active' };

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('the read models of integrations', () => {
  it('show webhooks as they are, and since when they are told', () => {
    const webhook = 'w';
    const made = roster('WebhookCreated', { webhook, name: 'A', address: 'a', events: ['space_added'] });
    const changed = [
      roster('WebhookAddressChanged', { webhook, address: 'b', replaced: 'a' }),
      roster('WebhookRenamed', { webhook, name: null }),
      roster('WebhookEventsChanged', { webhook, events: ['site_added'] }),
      roster('WebhookSecretRotated', { webhook, generation: 1 }),
      roster('WebhookDisabled', { webhook, reason: 'failures' }),
    ];
    const disabled = redelivered(webhooks, [made, ...changed]).get('w');
    expect(disabled).toMatchObject({
      ...{ organization: 'o', name: null, address: 'b', events: ['site_added'], generation: 1, rotatedAt: time },
      disabled: { at: time, reason: 'failures' },
    });
    const enabled = redelivered(webhooks, [made, ...changed, roster('WebhookEnabled', { webhook })]).get('w');
    expect(enabled).toMatchObject({ disabled: null });
    expect(Number(enabled?.since)).toBeGreaterThan(Number(disabled?.since));
    const deleted = roster('WebhookDeleted', { webhook, reason: 'deleted' });
    expect(redelivered(webhooks, [made, deleted]).size).toBe(0);
  });

  it('show what is published', () => {
    expect(redelivered(integrations, [published]).get('slack')).toMatchObject({
      key: 'slack',
      sortTitle: 'slack bot',
      version: 2,
      domains: ['example.com', 'a.example', 'b.example'],
      hasBlocks: true,
      hasContentSources: false,
    });
    expect(redelivered(integrations, [published, unpublished]).size).toBe(0);
  });

  it('show what is in development mode', () => {
    const until = '2030-01-01T00:00:00.000Z';
    const enabled = on('slack')('DevModeEnabled', { name: 'Slack', all: true, until });
    const ended = on('slack')('DevModeEnded', { name: 'Slack', reason: 'expired' });
    expect(redelivered(devModes, [enabled]).get('slack')).toMatchObject({ all: true, until });
    for (const end of [ended, unpublished]) expect(redelivered(devModes, [enabled, end]).size).toBe(0);
  });

  it('show what is installed', () => {
    const events = [
      installation('InstallationConfigured', configured),
      installation('InstallationExternalIdsChanged', { externalIds: ['x'] }),
      installation('InstallationSelectionChanged', { siteSelection: 'all' }),
      installation('InstallationScopesGranted', { scopes: ['site:views:read'], version: 2, status: 'active' }),
      installation('SpaceInstallationAdded', { space: 's' }),
      installation('SpaceInstallationConfigured', { space: 't', ...configured }),
      installation('SpaceInstallationRemoved', { space: 's' }),
      installation('SiteInstallationAdded', { site: 'u' }),
    ];
    expect(redelivered(installations, [installed, ...events]).get('i')).toEqual({
      integration: 'slack',
      name: 'Slack',
      organization: 'o',
      granted: ['site:views:read'],
      spaceSelection: 'selected',
      siteSelection: 'all',
      configuration: 'c',
      set: ['key'],
      externalIds: ['x'],
      spaces: ['t'],
      sites: ['u'],
      isEnding: false,
      createdAt: time,
      updatedAt: time,
      paused: null,
    });
    expect(redelivered(installations, [installed, unpublished]).get('i')).toMatchObject({ isEnding: true });
    const paused = installation('InstallationPaused', { reason: 'operator' });
    const resumed = installation('InstallationResumed', { status: 'active' });
    expect(redelivered(installations, [installed, paused]).get('i')).toMatchObject({ paused: 'operator' });
    expect(redelivered(installations, [installed, paused, resumed]).get('i')).toMatchObject({ paused: null });
    expect(redelivered(installations, [installed, uninstalled, ...events]).size).toBe(0);
  });

  it('show what is installed on spaces and sites', () => {
    const events = [
      installation('SpaceInstallationAdded', { space: 's' }),
      installation('SpaceInstallationConfigured', { space: 's', ...configured }),
      installation('SpaceInstallationExternalIdsChanged', { space: 's', externalIds: ['x'] }),
      installation('SiteInstallationAdded', { site: 's' }),
    ];
    const folded = redelivered(targetEntries, events);
    const entry = { installation: 'i', target: 's' };
    expect(folded.get('i:space:s')).toEqual({
      ...entry,
      kind: 'space',
      configuration: 'c',
      set: ['key'],
      externalIds: ['x'],
    });
    expect(folded.get('i:site:s')).toEqual({ ...entry, kind: 'site', configuration: null, set: [], externalIds: [] });
    const removed = installation('SpaceInstallationRemoved', { space: 's' });
    expect([...redelivered(targetEntries, [...events, removed]).keys()]).toEqual(['i:site:s']);
    expect(redelivered(targetEntries, [...events, uninstalled]).size).toBe(0);
  });

  it('show the titles of spaces until their purge begins', () => {
    const space = on('s');
    const created = { organization: 'o', emoji: null, language: null, editMode: 'live', title: 'Old' };
    const events = [space('SpaceCreated', created), space('SpaceRenamed', { title: 'New' })];
    expect(redelivered(knownSpaces, events).get('s')).toEqual({ organization: 'o', title: 'new' });
    const nodes = [{ id: 's', kind: 'space', parent: null, order: 'a', deletedAt: null }];
    const entered = on('p')('TransferEntered', { transfer: 't', from: 'o', nodes });
    expect(redelivered(knownSpaces, [...events, entered]).get('s')).toMatchObject({ organization: 'p' });
    expect(redelivered(knownSpaces, [...events, roster('SpacePurgeBegan', { space: 's' })]).size).toBe(0);
  });

  it('show sites with what they grant', () => {
    const site = on('s');
    const created = { organization: 'o', title: 'Old', type: 'basic', visibility: 'public', basename: 'old' };
    const grant = { user: 'ann', membership: 'm', level: 'read' };
    const events = [
      site('SiteCreated', created),
      roster('SiteAdded', { site: 's' }),
      site('SiteRenamed', { title: 'New' }),
      site('SiteUserGrantGiven', grant),
      site('SiteTeamGrantGiven', { team: 't', level: null }),
      site('SiteTeamGrantGiven', { team: 'u', level: 'edit' }),
      site('SiteTeamGrantRemoved', { team: 'u' }),
    ];
    const teams = [{ team: 't', level: null }];
    const known = { organization: 'o', title: 'new', isAdded: true, users: [grant], teams };
    expect(redelivered(knownSites, events).get('s')).toEqual(known);
    const removed = site('SiteUserGrantRemoved', { user: 'ann' });
    expect(redelivered(knownSites, [...events, removed]).get('s')).toMatchObject({ users: [] });
    expect(redelivered(knownSites, [...events, roster('SiteDeleted', { site: 's' })]).size).toBe(0);
    expect(redelivered(knownSites, [...events, roster('SiteDirectoryClosed', {})]).size).toBe(0);
  });

  it('show what there was last, until nothing is left of it', () => {
    const last = { configuration: 'c', externalIds: [], targets: { 'space-s': 'c' } };
    const events = [
      installed,
      installation('InstallationConfigured', configured),
      installation('SpaceInstallationConfigured', { space: 's', ...configured }),
      uninstalled,
    ];
    expect(redelivered(lastInstallations, events).get('i')).toMatchObject(last);
    const removed = on('slack')('IntegrationRemoved', {});
    expect(redelivered(lastInstallations, [...events, removed]).size).toBe(0);
    expect(redelivered(lastInstallations, [...events, roster('InstallationsClosed', {})]).size).toBe(0);
    expect(redelivered(lastIntegrations, [published, unpublished]).get('slack')).toMatchObject({ version: 2 });
    expect(redelivered(lastIntegrations, [published, unpublished, removed]).size).toBe(0);
  });

  it('show to whom sites show which spaces', () => {
    const site = on('s');
    const made = { organization: 'o', title: 'Docs', type: 'basic', visibility: 'public', basename: 'docs' };
    const added = (siteSpace: string, space: string) =>
      site('SiteSpaceAdded', { siteSpace, space, section: null, path: siteSpace });
    const folded = (...events: SampleEvent[]) =>
      redelivered(siteShowings, [site('SiteCreated', made), added('1', 'a'), added('2', 'b'), ...events]).get('s');
    const both = { 1: 'a', 2: 'b' };
    expect(folded()).toEqual({ organization: 'o', visibility: 'public', published: false, spaces: both });
    const changes = [site('SitePublished', {}), site('SiteVisibilityChanged', { visibility: 'unlisted' })];
    expect(folded(...changes)).toMatchObject({ published: true, visibility: 'unlisted' });
    expect(folded(...changes, site('SiteUnpublished', {}))).toMatchObject({ published: false });
    const replaced = site('SiteSpaceReplaced', { siteSpace: '1', space: 'c' });
    expect(folded(replaced, site('SiteSpaceRemoved', { siteSpace: '2' }))?.spaces).toEqual({ 1: 'c' });
    expect(folded(roster('SiteDeleted', { site: 's' }))).toBeUndefined();
    expect(folded(roster('SiteDirectoryClosed', {}))).toBeUndefined();
  });

  it('show because of what something may be delivered', () => {
    const causesOf = (event: SampleEvent) =>
      [...redelivered(outbox, [event]).values()].flatMap(({ causes }) => causes.map(({ kind }) => kind));
    const selection = { installation: 'i', targets: ['space'] };
    const setup = { kind: 'installation_setup', installation: 'i', status: null, before: { status: null } };
    const changed = installation('InstallationSelectionChanged', { spaceSelection: 'selected' });
    expect([...redelivered(outbox, [changed]).values()]).toMatchObject([
      { organization: 'o', causes: [setup, { kind: 'all_deselected', ...selection }] },
    ]);
    expect(causesOf(installed)).toEqual(['installation_setup']);
    expect(causesOf(roster('CollectionDeleted', { collection: 'c' }))).toEqual(['collection_removed']);
    const nodes = [
      { id: 'c', kind: 'collection', parent: null, order: 'a', deletedAt: null },
      { id: 's', kind: 'space', parent: 'c', order: 'a', deletedAt: null },
    ];
    const entered = roster('TransferEntered', { transfer: 't', from: 'p', nodes });
    expect(causesOf(entered)).toEqual(['place_removed', 'place_added']);
    expect(causesOf(roster('SpaceMoved', { space: 's', parent: 'c', order: 'a' }))).toEqual(['showing_changed']);
    expect(causesOf(on('site')('SitePublished', {}))).toEqual(['showing_changed']);
    expect(causesOf(roster('SiteDeleted', { site: 'site' }))).toEqual(['place_removed', 'showing_changed']);
    const revised = (space: string, number: number) => {
      const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
      const revision = {
        space,
        revision: 'r',
        number,
        parents: [],
        tree: 't',
        type: 'edits',
        mergedFrom: null,
        counts,
      };
      return causesOf(on('space')('RevisionCreated', { ...revision, changes: [], more: 0 }));
    };
    expect([revised('space', 1), revised('space', 2), revised('other', 2)]).toEqual([[], ['content_updated'], []]);
    const ended = (reason: string) =>
      causesOf(roster('IntegrationUninstalled', { installation: 'i', integration: 'slack', reason }));
    expect([ended('unpublished'), ended('organization_deleted')]).toEqual([['installation_deleted'], []]);
  });
});
