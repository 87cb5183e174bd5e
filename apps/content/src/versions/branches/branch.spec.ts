import { describe, expect, it } from '@jest/globals';
import type { Metadata } from '@scriptorium/event-sourcing';
import type { BranchEvent } from './branch.events.js';
import type { OpenBranch } from './branch-state.js';
import { addToBranch, branch, openMain, openRequest, reopen, seal, type Branch, type NewRevision } from './branch.js';

const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
const made = (revision: string, more: Partial<NewRevision> = {}): NewRevision => ({
  ...{ revision, tree: `tree of ${revision}`, type: 'edits', mergedFrom: null, counts, changes: [], ...more },
});
const from = { revision: 'm1', tree: 'tree of m1' };
const place = { space: 's', pool: 's' };

const reason = (name: string): unknown => expect.objectContaining({ reason: name });

/** The state after decisions, each made on the state after those before. */
function after(...decisions: ((state: Branch) => BranchEvent[])[]): Branch {
  const meta = { time: '2026-01-02T03:04:05.006Z' } as Metadata;
  let state = branch.initial;
  for (const decide of decisions) for (const event of decide(state)) state = branch.evolve(state, event, meta);
  return state;
}

/** A branch that has been opened. */
function present(state: Branch): OpenBranch {
  if (state.status === 'absent') throw new Error('the branch was not opened');
  return state;
}

const opened = (state: Branch) => openRequest(state, { ...place, from, first: undefined });
const adding =
  (revision: string, more: Partial<NewRevision> = {}, events: BranchEvent[] = []) =>
  (state: Branch) =>
    addToBranch(present(state), { revision: made(revision, more), events });
const updated = (conflicts: string | null): BranchEvent => ({
  type: 'BranchUpdated',
  data: { space: 's', ancestor: { revision: 'm2', tree: 'tree of m2' }, conflicts },
});
const resolved = (left: string | null) => (state: Branch) =>
  addToBranch(present(state), {
    revision: undefined,
    events: [{ type: 'BranchConflictsResolved', data: { space: 's', left } }],
  });
const sealed = (state: Branch) =>
  seal(state, { head: 'r1', merged: { revision: 'm3', tree: 'tree of m3' }, attempt: 'a' });

describe('a branch', () => {
  it('of a space begins with its first revision, and is opened once', () => {
    const state = after((now) => openMain(now, { ...place, first: made('m1') }));
    expect(state).toMatchObject({ status: 'open', head: { ...from, number: 1 }, request: null });
    expect(openMain(state, { ...place, first: made('m1') })).toEqual([]);
    expect(() => opened(state)).toThrow(reason('not_found'));
    expect(() => sealed(state)).toThrow(reason('not_found'));
    expect(() => reopen(state)).toThrow(reason('not_found'));
  });

  it('of a change request begins at a revision of the main content, with one of its own or without', () => {
    const state = after(opened);
    expect(state).toMatchObject({
      head: { ...from, number: 0 },
      request: { initial: 'm1', ancestor: from, pending: null },
    });
    expect(opened(state)).toEqual([]);
    const first = made('r1');
    expect(openRequest({ status: 'absent' }, { ...place, from, first })).toMatchObject([
      { type: 'BranchOpened' },
      { type: 'RevisionCreated', data: { revision: 'r1', number: 1, parents: ['m1'] } },
    ]);
    expect(() => openRequest(state, { space: 'other', pool: 'other', from, first })).toThrow();
  });

  it('counts its revisions, and takes nothing where nothing was made', () => {
    const state = after(opened, adding('r1', { mergedWith: 'm2' }));
    expect(state).toMatchObject({ head: { revision: 'r1', number: 1 } });
    expect(adding('r2')(state)).toMatchObject([{ data: { revision: 'r2', number: 2, parents: ['r1'] } }]);
    expect(addToBranch(present(state), { revision: undefined, events: [] })).toEqual([]);
  });

  it('has taken over a revision of the main content when no conflict is left', () => {
    const ancestor = { revision: 'm2', tree: 'tree of m2' };
    expect(after(opened, adding('r1', {}, [updated(null)]))).toMatchObject({ request: { ancestor, pending: null } });
    const pending = [opened, adding('r1', {}, [updated('list')])];
    expect(after(...pending)).toMatchObject({ request: { ancestor: from, pending: { ancestor, conflicts: 'list' } } });
    expect(after(...pending, resolved('less'))).toMatchObject({
      request: { ancestor: from, pending: { conflicts: 'less' } },
    });
    expect(after(...pending, resolved(null))).toMatchObject({ request: { ancestor, pending: null } });
  });

  it('takes nothing when it is merged, until it is reopened', () => {
    const state = after(opened, adding('r1'), sealed);
    const merged = { revision: 'm3', tree: 'tree of m3' };
    expect(state).toMatchObject({ head: { revision: 'r1' }, request: { ancestor: from, merged } });
    expect(sealed(state)).toEqual([]);
    expect(() => adding('r2')(state)).toThrow(reason('change_request_merged'));
    const again = after(opened, adding('r1'), sealed, reopen);
    expect(again).toMatchObject({
      head: { ...merged, number: 1 },
      request: { initial: 'm1', ancestor: merged, merged: null },
    });
    expect(reopen(again)).toEqual([]);
    // A revision came meanwhile.
    expect(() => sealed(after(opened, adding('r1'), adding('r2')))).toThrow(reason('conflict'));
  });
});
