import { describe, expect, it } from '@jest/globals';
import type { EventTable } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { identity } from '../service.js';
import { agentInstructionsEvents } from '../agent-instructions/agent-instructions.events.js';
import { adminAlertEvents } from '../activity/admin-alerts.events.js';
import { erasureEvents } from '../events/erasure.events.js';
import { installationEvents } from '../accounts/users/installation.events.js';
import { inviteEvents } from '../events/invite.events.js';
import { inviteeEvents } from '../organizations/invitations/invitee.events.js';
import { linkInvitesEvents } from '../organizations/link-invitations/link-invites.events.js';
import { rosterEvents } from '../events/roster.events.js';
import { organizationEvents } from '../events/organization.events.js';
import { provisioningEvents } from '../events/provisioning.events.js';
import { ssoEvents } from '../events/sso.events.js';
import { teamEvents } from '../events/team.events.js';
import { credentialsEvents } from '../events/credentials.events.js';
import { userEvents } from '../events/user.events.js';

const tables: Record<string, EventTable> = {
  credentials: credentialsEvents,
  erasure: erasureEvents,
  installation: installationEvents,
  instructions: agentInstructionsEvents,
  invite: inviteEvents,
  invitee: inviteeEvents,
  links: linkInvitesEvents,
  notices: adminAlertEvents,
  organization: organizationEvents,
  provisioning: provisioningEvents,
  roster: rosterEvents,
  sso: ssoEvents,
  team: teamEvents,
  user: userEvents,
};

/*
 * Stored events never change. A change of these snapshots is allowed if it adds something: an event, or a field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the event catalogue of identity', () => {
  it.each(Object.entries(tables))('keeps the schemas of the events of %s', (_entity, table) => {
    const schemas = Object.entries(table.schemas).map(([type, schema]) => [
      type,
      z.toJSONSchema(schema, { io: 'output' }),
    ]);
    expect(Object.fromEntries(schemas)).toMatchSnapshot();
  });

  it('has each event type in one stream only', () => {
    const types = Object.values(tables).flatMap((table) => table.types);
    expect(new Set(types).size).toBe(types.length);
  });

  it('keeps the events and indexes of each projection version', () => {
    expect(
      Object.fromEntries(
        identity.domains
          .flatMap(({ projections = [] }) => projections)
          // Other services may add events to a projection that grows, which is no change of identity.
          .map(({ collection, types, indexes, grows }) => [collection, { types: grows ? [] : [...types], indexes }]),
      ),
    ).toMatchSnapshot();
  });
});
