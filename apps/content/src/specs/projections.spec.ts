import { describe, expect, it } from '@jest/globals';
import { redelivered } from '@scriptorium/event-sourcing/testing';
import { knownTeams } from '../directory/known-team.projection.js';
import { spaces } from '../spaces/space.projection.js';

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

  it('know the teams that exist', () => {
    const made = of('t')('TeamCreated', { organization: 'o', title: 'Writers' });
    expect(redelivered(knownTeams, [made]).get('t')).toEqual({ organization: 'o' });
    expect(redelivered(knownTeams, [made, of('t')('TeamDeleted', {})]).size).toBe(0);
  });
});
