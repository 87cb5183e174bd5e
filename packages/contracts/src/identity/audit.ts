import * as z from 'zod';
import { Id, Moment, Timestamp, listOf, paging } from '../common.js';
import { operation } from '../operation.js';
import { publicActions } from '../published.js';
import { User } from './users.js';

/** Who did something: a person, or what the installation does by itself. */
export const Actor = z
  .union([User, z.object({ object: z.enum(['system', 'integration']), id: z.string() })])
  .meta({ description: 'A person without their address, as they are now; or a part of the installation.' });
export type Actor = z.output<typeof Actor>;

export const Action = z.enum(publicActions);

export const Target = z.object({
  object: z.string().meta({ description: '`object` of the resource.' }),
  id: z.string(),
  urls: z.object({ location: z.url() }).optional().meta({ description: 'Absent for what has no address of its own.' }),
});
export type Target = z.output<typeof Target>;

/** By what somebody acted (decisions 3.2). */
export const auditSources = ['ui', 'api', 'integration', 'webhook', 'workflow', 'script', 'support'] as const;

export const AuditEvent = z
  .object({
    object: z.literal('audit-event'),
    id: z.uuid(),
    occurredAt: Timestamp,
    action: Action,
    actor: Actor,
    source: z.enum(auditSources),
    target: Target,
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<typeof AuditEvent>;

export const AuditEventAction = z
  .object({ object: z.literal('audit-event-action'), id: Action, target: z.object({ object: z.string() }) })
  .meta({ id: 'AuditEventAction' });

const base = {
  service: 'identity',
  tag: 'Audit',
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] },
} as const;
const params = z.object({ organizationId: Id });
const Name = z.string().min(1).max(128);

export const listOrganizationAuditEvents = operation({
  ...base,
  id: 'listOrganizationAuditEvents',
  method: 'GET',
  path: '/orgs/{organizationId}/audit-events',
  summary: 'List what happened in an organization, newest first',
  params,
  query: z.object({
    page: paging.page,
    limit: z.int().min(0).max(100).default(20),
    from: Moment.optional().meta({ description: 'Nothing before this moment.' }),
    to: Moment.optional().meta({ description: 'Nothing at this moment or after it.' }),
    action: Action.optional(),
    actor: Name.optional().meta({ description: 'Id of who did it.' }),
    target: Name.optional().meta({ description: 'Id of what it was done to.' }),
  }),
  response: listOf(AuditEvent),
});

export const getOrganizationAuditEventById = operation({
  ...base,
  id: 'getOrganizationAuditEventById',
  method: 'GET',
  path: '/orgs/{organizationId}/audit-events/{auditEventId}',
  summary: 'Get one audit event',
  params: z.object({ organizationId: Id, auditEventId: Id }),
  response: AuditEvent,
});

export const listOrganizationAuditEventActions = operation({
  ...base,
  id: 'listOrganizationAuditEventActions',
  method: 'GET',
  path: '/orgs/{organizationId}/audit-event-actions',
  summary: 'List the actions that audit events can have',
  params,
  query: z.object(paging),
  response: listOf(AuditEventAction),
});
