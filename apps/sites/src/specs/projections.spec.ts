import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { customizations, sites } from '../model/index.js';
import { publishingAuths } from '../visitor-auth/publishing-auth.projection.js';
import { siteRedirects } from '../redirects/redirect.projection.js';
import { installationValues, integrationScripts } from '../scripts/script-sources.projections.js';
import { knownSpaces, spaceHeads } from '../spaces/index.js';

const time = '2026-01-02T03:04:05.006Z';
const on =
  (entityId: string) =>
  (type: string, data: object): SampleEvent => ({ type, data, entityId, meta: { organization: 'o', time } });
const site = on('s');
const directory = on('o');
const created = site('SiteCreated', {
  organization: 'o',
  title: 'Docs',
  type: 'basic',
  visibility: 'public',
  basename: 'docs',
});
const newSpace = { organization: 'o', emoji: null, language: null, editMode: 'live' };
const added = site('SiteSpaceAdded', { siteSpace: '1', space: 'space', section: null, path: 'one' });

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('the read models of sites', () => {
  it('show sites with what stands on them', () => {
    const folded = (...events: SampleEvent[]) => redelivered(sites, [created, ...events]).get('s');
    expect(folded()).toMatchObject({ title: 'Docs', isAdded: false, published: false, createdAt: time, spaces: [] });
    expect(folded(directory('SiteAdded', { site: 's' }), site('SitePublished', {}))).toMatchObject({
      isAdded: true,
      published: true,
    });
    expect(folded(added, site('SiteSpaceHidden', { siteSpace: '1' }))).toMatchObject({
      spaces: ['space'],
      structure: { defaultSpace: '1', siteSpaces: [{ path: 'one', hidden: true }] },
    });
    expect(folded(added, site('SiteSpaceRemoved', { siteSpace: '1' }))).toMatchObject({ spaces: [] });
    expect(folded(directory('SiteDeleted', { site: 's' }))).toBeUndefined();
    expect(folded(directory('SiteDirectoryClosed', {}))).toBeUndefined();
  });

  it('count what ends the tokens of visitors', () => {
    const generation = (...events: SampleEvent[]) => redelivered(sites, [created, ...events]).get('s')?.generation;
    expect(generation(site('SitePublished', {}), added)).toBe(0);
    const link = { link: 'l' };
    const ending = [
      site('SiteVisibilityChanged', { visibility: 'share-link' }),
      site('ShareLinkCreated', { ...link, name: 'New' }),
      site('ShareLinkDeactivated', link),
      site('ShareLinkDeleted', link),
      site('SiteUnpublished', {}),
    ];
    expect(generation(...ending)).toBe(4);
  });

  it('show the links and grants of sites', () => {
    const link = { id: 'l', name: 'New', active: false, createdAt: time };
    const events = [
      site('ShareLinkCreated', { link: 'l', name: 'Old' }),
      site('ShareLinkRenamed', { link: 'l', name: 'New' }),
      site('ShareLinkDeactivated', { link: 'l' }),
      site('SiteUserGrantGiven', { user: 'ann', membership: 'm', level: 'read' }),
      site('SiteTeamGrantGiven', { team: 't', level: null }),
    ];
    expect(redelivered(sites, [created, ...events]).get('s')).toMatchObject({
      links: [link],
      grants: { users: [{ user: 'ann', membership: 'm', level: 'read' }], teams: [{ team: 't', level: null }] },
    });
  });

  it('show how sites and their spaces look', () => {
    const settings = { pdf: { enabled: false } };
    const events = [
      site('SiteCustomized', { site: 's', settings }),
      on('1')('SiteSpaceCustomized', { site: 's', siteSpace: '1', settings }),
      on('2')('SiteSpaceCustomized', { site: 's', siteSpace: '2', settings }),
      on('2')('SiteSpaceCustomizationCleared', { site: 's', siteSpace: '2' }),
    ];
    expect([...redelivered(customizations, events).keys()].sort()).toEqual(['1', 's']);
    const removed = site('SiteSpaceRemoved', { siteSpace: '1' });
    expect([...redelivered(customizations, [...events, removed]).keys()]).toEqual(['s']);
    const deleted = directory('SiteDeleted', { site: 's' });
    expect(redelivered(customizations, [...events, deleted]).size).toBe(0);
    // Somebody has changed the looks at the moment of the deletion.
    const late = [...events, deleted, ...events.slice(0, 2)];
    expect(redelivered(customizations, [...late, directory('SiteErased', { site: 's' })]).size).toBe(0);
  });

  it('show how visitors prove who they are', () => {
    const rotated = (version: number, keepsPrevious: boolean) =>
      site('SiteAuthKeyRotated', { secret: `s:${version}`, version, keepsPrevious });
    const folded = (...events: SampleEvent[]) =>
      redelivered(publishingAuths, [directory('SiteAdded', { site: 's' }), ...events]).get('s');
    expect(folded()).toMatchObject({ backend: 'custom', version: 0, previous: null });
    const until = '2026-01-03T03:04:05.006Z';
    expect(folded(rotated(1, true))).toMatchObject({ version: 1, previous: { version: 0, until } });
    expect(folded(rotated(1, true), rotated(2, false))).toMatchObject({ version: 2, previous: null });
    expect(folded(site('SiteAuthLogoutChanged', { logoutURL: 'https://a.example' }))).toMatchObject({
      logoutURL: 'https://a.example',
    });
    expect(folded(directory('SiteDeleted', { site: 's' }))).toBeUndefined();
  });

  it('show redirects', () => {
    const url = { kind: 'url', url: 'https://example.com' };
    const events = [
      site('SiteRedirectAdded', { redirect: 'r', source: '/a', destination: url }),
      site('SiteRedirectSourceChanged', { redirect: 'r', source: '/b' }),
      site('SiteRedirectDestinationChanged', { redirect: 'r', destination: { kind: 'page', page: 'p' } }),
    ];
    const destination = { kind: 'page', page: 'p' };
    expect(redelivered(siteRedirects, events).get('r')).toEqual({ site: 's', source: '/b', destination });
    expect(redelivered(siteRedirects, [...events, site('SiteRedirectRemoved', { redirect: 'r' })]).size).toBe(0);
    const deleted = [...events, directory('SiteDeleted', { site: 's' })];
    expect(redelivered(siteRedirects, deleted).size).toBe(0);
    const late = [...deleted, site('SiteRedirectAdded', { redirect: 'late', source: '/late', destination: url })];
    expect(redelivered(siteRedirects, [...late, directory('SiteErased', { site: 's' })]).size).toBe(0);
  });

  it('show what integrations and their installations say of scripts', () => {
    const [integration, installation] = [on('g'), on('i')];
    const published = integration('IntegrationPublished', {
      ...{ name: 'a', version: 1, organization: 'o', title: 'A', description: '', summary: '', runtime: 'v2' },
      ...{ visibility: 'private', target: 'all', scopes: [], categories: [], blocks: [], contentSources: [] },
      ...{ configurations: {}, externalLinks: [], contentSecurityPolicy: 'script-src *', script: 'h' },
      ...{ icon: null, previews: [], secrets: null, replacedSecrets: null },
    });
    expect(redelivered(integrationScripts, [published]).get('g')).toEqual({ policy: 'script-src *', required: [] });
    const ended = integration('IntegrationUnpublished', { name: 'a' });
    expect(redelivered(integrationScripts, [published, ended]).size).toBe(0);
    const configured = { set: ['p'], previous: null, status: 'active', statusBefore: 'active' };
    const events = [
      directory('IntegrationInstalled', {
        ...{ installation: 'i', integration: 'g', name: 'a', version: 1, grantedScopes: [], spaceSelection: 'all' },
        ...{ siteSelection: 'all', configuration: null, set: [], externalIds: [], status: 'active' },
      }),
      installation('InstallationConfigured', { ...configured, configuration: 'c1' }),
      installation('SiteInstallationConfigured', { ...configured, site: 's', configuration: 'c2' }),
    ];
    const folded = (...more: SampleEvent[]) => redelivered(installationValues, [...events, ...more]).get('i');
    expect(folded()).toEqual({ configuration: 'c1', sites: [{ site: 's', configuration: 'c2', set: ['p'] }] });
    expect(folded(installation('SiteInstallationRemoved', { site: 's' }))).toMatchObject({ sites: [] });
    const uninstalled = { installation: 'i', integration: 'g', reason: 'uninstalled' };
    expect(folded(directory('IntegrationUninstalled', uninstalled))).toBeUndefined();
  });

  it('show the titles of spaces until their purge begins', () => {
    const space = on('space');
    const events = [space('SpaceCreated', { ...newSpace, title: 'Old' }), space('SpaceRenamed', { title: 'New' })];
    expect(redelivered(knownSpaces, events).get('space')).toEqual({ organization: 'o', title: 'New' });
    expect(redelivered(knownSpaces, [...events, directory('SpacePurgeBegan', { space: 'space' })]).size).toBe(0);
  });

  it('show the newest revision of the main content of spaces', () => {
    const counts = { pages: 0, files: 0, reusableContents: 0, variables: 0 };
    const more = { number: 1, parents: [], tree: 't', type: 'edits', mergedFrom: null, counts, changes: [], more: 0 };
    const revision = (branch: string, id: string) =>
      on(branch)('RevisionCreated', { space: 'space', revision: id, ...more });
    const events = [revision('space', 'r1'), revision('request', 'r2'), revision('space', 'r3')];
    expect(redelivered(spaceHeads, events).get('space')).toEqual({ revision: 'r3' });
    expect(redelivered(spaceHeads, [...events, directory('SpacePurged', { space: 'space' })]).size).toBe(0);
  });
});
