import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { Installed, InstallationEvent, RosterEvent } from './installation.events.js';
import {
  addTarget,
  change,
  changeTarget,
  dropTarget,
  installation,
  pause,
  removeTarget,
  resume,
  rotateSigning,
  type Configured,
} from './installation.js';
import { close, install, roster, uninstall } from './roster.js';

const began: Installed = {
  installation: 'i',
  integration: 'slack',
  name: 'slack',
  version: 1,
  grantedScopes: ['space:content:read'],
  spaceSelection: 'selected',
  siteSelection: 'selected',
  configuration: null,
  set: [],
  externalIds: [],
  status: 'active',
};
const installed = (more: Partial<Installed> = {}): RosterEvent => ({
  type: 'IntegrationInstalled',
  data: { ...began, ...more },
});
const ended = (id: string, reason: 'uninstalled' | 'organization_deleted'): RosterEvent => ({
  type: 'IntegrationUninstalled',
  data: { installation: id, integration: 'slack', reason },
});

describe('what an organization has installed', () => {
  const wanted = { ...began, limit: 2 };

  it('has each integration once', () => {
    given(roster, [])
      .when((state) => install(state, wanted))
      .then([installed()]);
    given(roster, [installed()])
      .when((state) => install(state, { ...wanted, installation: 'j' }))
      .thenFails('already_installed');
    given(roster, [installed(), ended('i', 'uninstalled')])
      .when((state) => install(state, { ...wanted, installation: 'j' }))
      .then([installed({ installation: 'j' })]);
  });

  it('is limited', () => {
    given(roster, [installed(), installed({ installation: 'j', integration: 'github' })])
      .when((state) => install(state, { ...wanted, installation: 'k', integration: 'gitlab' }))
      .thenFails('limit_reached');
  });

  it('ends with the organization', () => {
    const closed: RosterEvent = { type: 'InstallationsClosed', data: {} };
    given(roster, [installed()])
      .when(close)
      .then([ended('i', 'organization_deleted'), closed]);
    given(roster, [closed]).when(close).then([]);
    given(roster, [closed])
      .when((state) => install(state, wanted))
      .thenFails('not_found');
  });

  it('ends once', () => {
    given(roster, [installed()])
      .when((state) => uninstall(state, 'i', 'uninstalled'))
      .then([ended('i', 'uninstalled')]);
    given(roster, [])
      .when((state) => uninstall(state, 'i', 'uninstalled'))
      .then([]);
  });
});

describe('an installation', () => {
  const statuses = { status: 'active', statusBefore: 'active' } as const;
  const demanded = { scopes: began.grantedScopes, version: 1, ...statuses } as const;
  const configured: Configured = { configuration: 'one', set: ['key'], previous: null, ...statuses };
  const one: InstallationEvent = { type: 'InstallationConfigured', data: { ...configured, set: ['key'] } };

  it('is configured by one at a time', () => {
    given(installation, [])
      .when((state) => change(state, began, { configured, demanded }))
      .then([one]);
    given(installation, [one])
      .when((state) => change(state, began, { configured: { ...configured, configuration: 'two' }, demanded }))
      .thenFails('conflict');
    const next = { ...configured, configuration: 'two', previous: 'one' };
    given(installation, [one])
      .when((state) => change(state, began, { configured: next, demanded }))
      .then([{ type: 'InstallationConfigured', data: { ...next, set: ['key'] } }]);
  });

  it('records what differs', () => {
    given(installation, [])
      .when((state) =>
        change(state, began, { externalIds: ['a'], spaceSelection: 'all', siteSelection: 'selected', demanded }),
      )
      .then([
        { type: 'InstallationExternalIdsChanged', data: { externalIds: ['a'] } },
        { type: 'InstallationSelectionChanged', data: { spaceSelection: 'all' } },
      ]);
    given(installation, [{ type: 'InstallationExternalIdsChanged', data: { externalIds: ['a'] } }])
      .when((state) => change(state, began, { externalIds: ['a'], spaceSelection: 'selected', demanded }))
      .then([]);
  });

  it('grants what another version asks for', () => {
    const more = { ...demanded, scopes: ['site:views:read'] as const, version: 2 };
    given(installation, [])
      .when((state) => change(state, began, { demanded: more }))
      .then([{ type: 'InstallationScopesGranted', data: { scopes: ['site:views:read'], version: 2, ...statuses } }]);
    given(installation, [])
      .when((state) => change(state, began, { externalIds: [] }))
      .then([]);
  });

  it('is paused and resumed once', () => {
    const paused: InstallationEvent = { type: 'InstallationPaused', data: { reason: 'failures' } };
    const resumed: InstallationEvent = { type: 'InstallationResumed', data: { status: 'active' } };
    given(installation, [])
      .when((state) => pause(state, 'failures'))
      .then([paused]);
    given(installation, [paused])
      .when((state) => pause(state, 'queue_full'))
      .then([]);
    given(installation, [paused])
      .when((state) => resume(state, 'active'))
      .then([resumed]);
    given(installation, [paused, resumed])
      .when((state) => resume(state, 'active'))
      .then([]);
  });

  it('is resumed by whoever may grant what it asks for', () => {
    const paused: InstallationEvent = { type: 'InstallationPaused', data: { reason: 'failures' } };
    given(installation, [paused])
      .when((state) => change(state, began, { demanded }))
      .then([{ type: 'InstallationResumed', data: { status: 'active' } }]);
    given(installation, [paused])
      .when((state) => change(state, began, { externalIds: ['a'] }))
      .then([{ type: 'InstallationExternalIdsChanged', data: { externalIds: ['a'] } }]);
  });

  it('signs with other keys each time', () => {
    const rotated = (generation: number): InstallationEvent => ({
      type: 'InstallationSigningRotated',
      data: { generation },
    });
    given(installation, [])
      .when(rotateSigning)
      .then([rotated(1)]);
    given(installation, [rotated(1)])
      .when(rotateSigning)
      .then([rotated(2)]);
  });
});

describe('an installation on a space or site', () => {
  const [space, site] = [
    { kind: 'space', id: 's' },
    { kind: 'site', id: 't' },
  ] as const;
  const added: InstallationEvent = { type: 'SpaceInstallationAdded', data: { space: 's' } };
  const removed: InstallationEvent = { type: 'SpaceInstallationRemoved', data: { space: 's' } };
  const all: InstallationEvent = { type: 'InstallationSelectionChanged', data: { spaceSelection: 'all' } };

  it('is added and removed once', () => {
    given(installation, [])
      .when((state) => addTarget(state, began, space))
      .then([added]);
    given(installation, [added])
      .when((state) => addTarget(state, began, space))
      .then([]);
    given(installation, [added])
      .when((state) => removeTarget(state, began, space))
      .then([removed]);
    given(installation, [added, removed])
      .when((state) => removeTarget(state, began, space))
      .then([]);
    given(installation, [])
      .when((state) => addTarget(state, began, site))
      .then([{ type: 'SiteInstallationAdded', data: { site: 't' } }]);
  });

  it('is there on all of them, and cannot be taken out', () => {
    given(installation, [all])
      .when((state) => addTarget(state, began, space))
      .then([]);
    given(installation, [added, all])
      .when((state) => removeTarget(state, began, space))
      .thenFails('selected_by_all');
    // The space itself is gone.
    given(installation, [added, all])
      .when((state) => dropTarget(state, space))
      .then([removed]);
  });

  it('is configured where it is installed', () => {
    const statuses = { status: 'active', statusBefore: 'pending' } as const;
    const configured: Configured = { configuration: 'one', set: [], previous: null, ...statuses };
    const wanted = { configured, externalIds: ['a'] };
    const events: InstallationEvent[] = [
      { type: 'SpaceInstallationConfigured', data: { space: 's', ...configured, set: [] } },
      { type: 'SpaceInstallationExternalIdsChanged', data: { space: 's', externalIds: ['a'] } },
    ];
    given(installation, [])
      .when((state) => changeTarget(state, began, space, wanted))
      .thenFails('not_found');
    for (const history of [[added], [all]])
      given(installation, history)
        .when((state) => changeTarget(state, began, space, wanted))
        .then(events);
    given(installation, [added, ...events])
      .when((state) => changeTarget(state, began, space, { externalIds: ['a'] }))
      .then([]);
    given(installation, [added, ...events])
      .when((state) => changeTarget(state, began, space, { configured }))
      .thenFails('conflict');
  });
});
