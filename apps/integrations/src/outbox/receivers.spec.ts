import { describe, expect, it } from '@jest/globals';
import type { InstallationReachDocument } from '@scriptorium/access';
import { deliveryOf, slots } from './deliveries.operational.js';
import { plannedForAll, plannedForDemands, plannedForOne, type Receiver } from './receivers.js';

const reach: InstallationReachDocument = {
  integration: 'x',
  organization: 'acme',
  granted: ['space:content:read'],
  set: [],
  spaceSelection: 'selected',
  siteSelection: 'selected',
  spaces: [{ id: 's', since: 10 }],
  sites: [],
  allSpacesSince: null,
  allSitesSince: null,
  paused: null,
  generation: 0,
  signing: { generation: 0, since: null },
  since: 5,
};
const receiver = (more: Partial<InstallationReachDocument> = {}, required: string[] = []): Receiver => ({
  id: 'i',
  reach: { ...reach, ...more },
  integration: {
    name: 'x',
    organization: 'owner',
    version: 1,
    scopes: ['space:content:read'],
    required,
    generation: 0,
  },
});

describe('who gets what', () => {
  const updated = { kind: 'content_updated', space: 's', revision: 'r' } as const;
  const told = (one: Receiver, position = 20) => plannedForAll(updated, position, [one]).length;

  it('is who reaches the space since before, is active, and was granted to read', () => {
    expect(plannedForAll(updated, 20, [receiver()])).toEqual([
      {
        installation: 'i',
        integration: 'x',
        organization: 'acme',
        type: 'space_content_updated',
        target: { kind: 'space', id: 's' },
        revision: 'r',
      },
    ]);
    expect(told(receiver(), 10)).toBe(0);
    expect(told(receiver({ since: 30 }))).toBe(0);
    expect(told(receiver({ spaces: [] }))).toBe(0);
    expect(told(receiver({ spaces: [], allSpacesSince: 10 }))).toBe(1);
    expect(told(receiver({ granted: [] }))).toBe(0);
    expect(told(receiver({ paused: 'failures' }))).toBe(0);
    expect(told(receiver({}, ['key']))).toBe(0);
    expect(told(receiver({ set: ['key'] }, ['key']))).toBe(1);
  });

  it('are those with all spaces, of spaces that come and go', () => {
    const added = { kind: 'place_added', target: { kind: 'space', id: 't' } } as const;
    expect(plannedForAll(added, 20, [receiver()])).toEqual([]);
    const all = receiver({ allSpacesSince: 10 });
    expect(plannedForAll(added, 20, [all])).toMatchObject([{ type: 'space_installation_setup', before: null }]);
    expect(plannedForAll(added, 10, [all])).toEqual([]);
    expect(plannedForAll({ ...added, kind: 'place_removed' }, 20, [all])).toMatchObject([
      { type: 'space_installation_deleted' },
    ]);
  });

  it('is the installation itself, of its own changes, unless it is paused', () => {
    const setup = { kind: 'installation_setup', installation: 'i', status: 'pending', before: null } as const;
    expect(plannedForOne(setup, 20, receiver())).toMatchObject([{ type: 'installation_setup', status: 'pending' }]);
    expect(plannedForOne(setup, 20, receiver({ paused: 'operator' }))).toEqual([]);
    expect(plannedForOne(setup, 20, undefined)).toEqual([]);
    const selected = { ...setup, status: null, before: { status: null } };
    expect(plannedForOne(selected, 20, receiver())).toMatchObject([{ status: 'active', before: { status: 'active' } }]);
  });

  it('is the installation, of a space that it loses by itself, unless it has all of them', () => {
    const target = { kind: 'space', id: 's' } as const;
    const deleted = { kind: 'target_deleted', installation: 'i', target } as const;
    expect(plannedForOne(deleted, 20, receiver())).toMatchObject([{ type: 'space_installation_deleted', target }]);
    expect(plannedForOne(deleted, 20, receiver({ allSpacesSince: 10 }))).toEqual([]);
  });

  it('are installations whose status changes with what a version asks for', () => {
    const asks = (required: string[], before: string[] = []) => ({
      kind: 'demands_changed' as const,
      integration: 'x',
      demands: { scopes: [], required },
      before: { scopes: [], required: before },
    });
    expect(plannedForDemands(asks(['key']), receiver())).toMatchObject([
      { type: 'installation_setup', status: 'pending', before: { status: 'active' } },
    ]);
    expect(plannedForDemands(asks([], ['key']), receiver())).toMatchObject([{ status: 'active' }]);
    expect(plannedForDemands(asks(['key']), receiver({ set: ['key'] }))).toEqual([]);
    expect(plannedForDemands(asks(['key']), receiver({ paused: 'failures' }))).toEqual([]);
  });

  it('has the same ids whenever it is planned', () => {
    const [planned] = plannedForAll(updated, 20, [receiver()]);
    if (planned === undefined) throw new Error('nothing was planned');
    const [one, other] = [deliveryOf(planned, 20, 1), deliveryOf(planned, 20, 2)];
    expect([one._id, one.event, one.slot]).toEqual([other._id, other.event, other.slot]);
    expect(one._id).toBe('20:i:space-s:space_content_updated');
    expect(one.slot < slots).toBe(true);
    expect(deliveryOf(planned, 21, 1).event).not.toBe(one.event);
  });
});
