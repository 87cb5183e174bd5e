import { describe, expect, it } from '@jest/globals';
import type { EventTable } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { identity } from './definition.js';
import { agentInstructionsEvents } from './agent-instructions/agent-instructions.events.js';
import { erasureEvents } from './erasure/erasure.events.js';
import { installationEvents } from './installation/installation.events.js';
import { inviteEvents } from './invites/invite.events.js';
import { inviteeEvents } from './invites/invitee.events.js';
import { linkInvitesEvents } from './link-invites/link-invites.events.js';
import { rosterEvents } from './members/roster.events.js';
import { organizationEvents } from './organizations/organization.events.js';
import { ssoEvents } from './sso/sso.events.js';
import { teamEvents } from './teams/team.events.js';
import { credentialsEvents } from './tokens/credentials.events.js';
import { userEvents } from './users/user.events.js';

const tables: Record<string, EventTable> = {
  credentials: credentialsEvents,
  erasure: erasureEvents,
  installation: installationEvents,
  instructions: agentInstructionsEvents,
  invite: inviteEvents,
  invitee: inviteeEvents,
  links: linkInvitesEvents,
  organization: organizationEvents,
  roster: rosterEvents,
  sso: ssoEvents,
  team: teamEvents,
  user: userEvents,
};

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a default.
 * A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of identity', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    const schemas = Object.entries(table.schemas).map(([type, schema]) => [type, z.toJSONSchema(schema, { io: 'output' })]);
    expect(Object.fromEntries(schemas)).toMatchSnapshot();
  });

  it('has each event type in one stream only', () => {
    const types = Object.values(tables).flatMap((table) => table.types);
    expect(new Set(types).size).toBe(types.length);
  });

  it('has projections whose versions follow their code', () => {
    expect(Object.fromEntries(identity.projections.map(({ collection, types, indexes }) => [collection, { types: [...types], indexes }]))).toMatchSnapshot();
  });
});
