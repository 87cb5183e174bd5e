import { describe, expect, it } from '@jest/globals';
import { redelivered } from '@scriptorium/event-sourcing/testing';
import { branches, requestBranches } from '../versions/branches/index.js';
import { requestNumbers } from '../versions/branches/request-number.projection.js';
import { siteShowings } from '../library/spaces/sites/site-showing.projection.js';
import { spaceCounts } from '../library/spaces/listing/space-count.projection.js';
import { spaces } from '../library/spaces/index.js';
import { integrationManifests } from '../reading/integration-blocks/integration-manifest.projection.js';

const [first, then] = ['2026-01-02T03:04:05.006Z', '2026-01-03T03:04:05.006Z'];
const of =
  (entityId: string, time = then) =>
  (type: string, data: object) => ({
    type,
    data,
    entityId,
    meta: { organization: 'o', time },
  });
const settings = { organization: 'o', title: 'Handbook', emoji: null, language: null, editMode: 'locked' };
const created = of('s', first)('SpaceCreated', settings);
const library = of('o');
const space = of('s');

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('content projections', () => {
  it('show spaces with their settings', () => {
    const changed = [
      space('SpaceRenamed', { title: 'Manual' }),
      space('SpaceUnlocked', {}),
      space('SpaceDefaultLevelChanged', { level: null }),
    ];
    expect(redelivered(spaces, [created, ...changed]).get('s')).toEqual({
      ...settings,
      title: 'Manual',
      editMode: 'live',
      icon: null,
      mergeRules: null,
      defaultLevel: null,
      createdAt: first,
      updatedAt: then,
      revision: null,
    });
  });

  it('show when spaces were changed, which grants do not', () => {
    const granted = space('SpaceUserGrantGiven', { user: 'u', membership: 'm', level: 'read' });
    expect(redelivered(spaces, [created, granted]).get('s')).toMatchObject({ updatedAt: first });
    const moved = library('SpaceMoved', { space: 's', parent: null, order: 'a1' });
    expect(redelivered(spaces, [created, moved]).get('s')).toMatchObject({ updatedAt: then });
  });

  it('have no space any more whose purge has begun', () => {
    expect(redelivered(spaces, [created, library('SpacePurgeBegan', { space: 's' })]).size).toBe(0);
    expect(redelivered(spaces, [library('SpaceMoved', { space: 's', parent: null, order: 'a1' })]).size).toBe(0);
  });

  it('show the newest revision of the main content of a space, and not those of other branches', () => {
    const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
    const made = {
      space: 's',
      number: 1,
      parents: [],
      tree: 't',
      type: 'edits',
      mergedFrom: null,
      counts,
      changes: [],
      more: 0,
    };
    const revision = of('s')('RevisionCreated', { ...made, revision: 'r1' });
    const other = of('change')('RevisionCreated', { ...made, revision: 'r2' });
    const shown = redelivered(spaces, [created, revision, other]).get('s');
    expect(shown).toMatchObject({ revision: 'r1', updatedAt: then });
  });

  it('count the comments on the main content of spaces that are not resolved', () => {
    const added = library('SpaceAdded', { space: 's', parent: null, order: 'a0' });
    const place = { space: 's', changeRequest: null };
    const target = { review: null, page: null, node: null, tableCell: null, revision: null };
    const posted = { ...place, ...target, text: 't', bytes: 1, mentions: [] };
    const history = [
      added,
      of('one')('CommentPosted', posted),
      of('two')('CommentPosted', posted),
      of('elsewhere')('CommentPosted', { ...posted, changeRequest: 'c' }),
      of('one')('CommentResolved', place),
      of('two')('CommentDeleted', { ...place, status: 'open', authors: [] }),
    ];
    const open = history.map((_, i) => redelivered(spaceCounts, history.slice(0, i + 1)).get('s')?.comments);
    expect(open).toEqual([0, 1, 2, 2, 1, 0]);
    expect(redelivered(spaceCounts, [...history, of('one')('CommentReopened', place)]).get('s')?.comments).toBe(1);
    const deleted = of('one')('CommentDeleted', { ...place, status: 'resolved', authors: [] });
    expect(redelivered(spaceCounts, [...history, deleted]).get('s')?.comments).toBe(0);
    const purged = [...history, library('SpacePurgeBegan', { space: 's' }), of('one')('CommentReopened', place)];
    expect(redelivered(spaceCounts, purged).size).toBe(0);
  });

  it('count the change requests of spaces, and those that are open or drafts', () => {
    const added = library('SpaceAdded', { space: 's', parent: null, order: 'a0' });
    const at = (type: string, data: object = {}) => of('cr')(type, { space: 's', ...data });
    const merged = { attempt: 'a', by: 'u', revision: 'r', from: 'open' };
    const history = [
      added,
      of('s')('ChangeRequestNumbered', { changeRequest: 'cr', number: 1 }),
      at('ChangeRequestOpened'),
      at('ChangeRequestMerged', merged),
      at('ChangeRequestReopened', { from: 'merged' }),
      at('ChangeRequestConvertedToDraft', { from: 'open' }),
      at('ChangeRequestArchived', { from: 'draft' }),
      at('ChangeRequestReopened', { from: 'archived' }),
    ];
    const counted = history.map((_, i) => {
      const doc = redelivered(spaceCounts, history.slice(0, i + 1)).get('s');
      return [doc?.changeRequests, doc?.changeRequestsOpen, doc?.changeRequestsDraft];
    });
    expect(counted).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [1, 1, 0],
      [1, 0, 0],
      [1, 1, 0],
      [1, 0, 1],
      [1, 0, 0],
      [1, 1, 0],
    ]);
  });

  it('know change requests by their numbers', () => {
    const numbered = of('s')('ChangeRequestNumbered', { changeRequest: 'cr', number: 7 });
    expect(redelivered(requestNumbers, [numbered]).get('s:7')).toEqual({ space: 's', branch: 'cr' });
    const ended = [numbered, library('SpacePurgeBegan', { space: 's' })];
    expect(redelivered(requestNumbers, ended).size).toBe(0);
  });

  it('show branches with their heads, and what change requests have taken over', () => {
    const [main, taken] = [
      { revision: 'm1', tree: 't1' },
      { revision: 'm2', tree: 't2' },
    ];
    const request = of('r');
    const opened = request('BranchOpened', { space: 's', pool: 's', from: main });
    const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
    const made = { space: 's', number: 1, parents: [], type: 'edits', mergedFrom: null, counts, changes: [], more: 0 };
    const revision = request('RevisionCreated', { ...made, revision: 'r1', tree: 't3' });
    const updated = request('BranchUpdated', { space: 's', ancestor: taken, conflicts: 'list' });
    const shown = { space: 's', pool: 's', head: { revision: 'r1', tree: 't3', number: 1 } };
    const began = { initial: 'm1', ancestor: main, pending: null, merged: null };
    expect(redelivered(branches, [opened, revision]).get('r')).toEqual({ ...shown, request: began });
    const pending = { ancestor: taken, conflicts: 'list' };
    expect(redelivered(branches, [opened, revision, updated]).get('r')).toEqual({
      ...shown,
      request: { ...began, pending },
    });
    const resolved = request('BranchConflictsResolved', { space: 's', left: null });
    const merged = request('BranchMerged', { space: 's', revision: 'm3', tree: 't4', attempt: 'a' });
    const sealed = [opened, revision, updated, resolved, merged];
    const last = { revision: 'm3', tree: 't4' };
    expect(redelivered(branches, sealed).get('r')).toEqual({
      ...shown,
      request: { ...began, ancestor: taken, merged: last },
    });
    const reopened = redelivered(branches, [...sealed, request('BranchReopened', { space: 's' })]).get('r');
    expect(reopened).toEqual({ ...shown, head: { ...last, number: 1 }, request: { ...began, ancestor: last } });
    expect(redelivered(branches, [...sealed, library('SpacePurgeBegan', { space: 's' })]).size).toBe(0);
  });

  it('know the branches of change requests until nothing is left of their space', () => {
    const opened = [
      of('s')('BranchOpened', { space: 's', pool: 's', from: null }),
      of('r')('BranchOpened', { space: 's', pool: 's', from: { revision: 'm1', tree: 't1' } }),
    ];
    expect([...redelivered(requestBranches, opened)]).toEqual([['r', { space: 's' }]]);
    expect(redelivered(requestBranches, [...opened, library('SpacePurged', { space: 's' })]).size).toBe(0);
  });

  it('know which spaces sites show, and to whom, until the site or its organization is deleted', () => {
    const site = of('site');
    const made = { organization: 'o', title: 'Docs', type: 'basic', visibility: 'public', basename: 'docs' };
    const events = [
      site('SiteCreated', made),
      site('SiteSpaceAdded', { siteSpace: '1', space: 's', section: null, path: 'a' }),
      site('SiteSpaceAdded', { siteSpace: '2', space: 't', section: null, path: 'b' }),
      site('SiteSpaceReplaced', { siteSpace: '2', space: 'u' }),
      site('SiteSpaceRemoved', { siteSpace: '1' }),
      site('SiteVisibilityChanged', { visibility: 'unlisted' }),
      site('SitePublished', {}),
    ];
    const shown = {
      organization: 'o',
      visibility: 'unlisted',
      siteSpaces: [{ id: '2', space: 'u', section: null, isConditional: false }],
      conditional: [],
    };
    expect(redelivered(siteShowings, events).get('site')).toEqual({ ...shown, published: true, changes: 6 });
    const unpublished = [...events, site('SiteUnpublished', {})];
    expect(redelivered(siteShowings, unpublished).get('site')).toEqual({ ...shown, published: false, changes: 7 });
    expect(redelivered(siteShowings, [...events, library('SiteDeleted', { site: 'site' })]).size).toBe(0);
    expect(redelivered(siteShowings, [...events, library('SiteDirectoryClosed', {})]).size).toBe(0);
  });

  it('show what integrations say of their blocks and frames, until they are unpublished', () => {
    const published = (more: object) =>
      of('i')('IntegrationPublished', {
        name: 'plots',
        version: 1,
        organization: 'p',
        title: 'Plots',
        description: 'Draws',
        summary: '',
        runtime: 'v2',
        visibility: 'private',
        target: 'all',
        scopes: [],
        categories: [],
        blocks: [{ id: 'plot', title: 'Plot', description: 'A plot', icon: 'i', urlUnfurl: ['https://a.example'] }],
        contentSources: [],
        configurations: {},
        externalLinks: [],
        contentSecurityPolicy: "frame-src https://frames.example *; script-src 'self'",
        script: 's',
        icon: { hash: 'h', type: 'image/png' },
        previews: [],
        secrets: null,
        replacedSecrets: null,
        ...more,
      });
    const first = published({});
    expect(redelivered(integrationManifests, [first]).get('i')).toEqual({
      name: 'plots',
      title: 'Plots',
      description: 'Draws',
      icon: { hash: 'h', type: 'image/png' },
      blocks: [{ id: 'plot', title: 'Plot', description: 'A plot' }],
      frames: ['https://frames.example'],
    });
    const second = published({ version: 2, title: 'Charts', blocks: [], icon: null, contentSecurityPolicy: null });
    expect(redelivered(integrationManifests, [first, second]).get('i')).toMatchObject({
      title: 'Charts',
      blocks: [],
      frames: [],
    });
    const unpublished = of('i')('IntegrationUnpublished', { name: 'plots' });
    expect(redelivered(integrationManifests, [first, unpublished]).size).toBe(0);
  });
});
