import * as z from 'zod';
import { Id, Moment, Timestamp, listOf, paging } from '../kernel/common.js';
import { User } from '../identity/people/users.js';
import { operation } from '../kernel/operation.js';

/** Who caused an event: a person, or the installation itself. */
export const Actor = z
  .union([User, z.object({ object: z.enum(['system', 'integration']), id: z.string() })])
  .meta({ description: 'A person without their address, as they are now; or a part of the installation.' });
export type Actor = z.output<typeof Actor>;

export const Target = z.object({
  object: z.string().meta({ description: '`object` of the resource.' }),
  id: z.string(),
  urls: z.object({ location: z.url() }).optional().meta({ description: 'Absent for what has no address of its own.' }),
});
export type Target = z.output<typeof Target>;

/** The names of all actions. */
export type Action = z.ZodEnum<Record<string, string>>;

/** The means by which an actor acted. */
export const auditSources = ['ui', 'api', 'integration', 'webhook', 'workflow', 'script', 'support'] as const;

const auditEvent = (action: Action) =>
  z
    .object({
      object: z.literal('audit-event'),
      id: z.uuid(),
      occurredAt: Timestamp,
      action,
      actor: Actor,
      source: z.enum(auditSources),
      target: Target,
    })
    .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<ReturnType<typeof auditEvent>>;

/** The position up to which a client has read audit events, in the form of `Scriptorium-Position`. */
const AuditCursor = z.string().regex(/^\d{1,19}$/);

const auditExport = (AuditEvent: ReturnType<typeof auditEvent>) =>
  z
    .object({
      items: z.array(
        z
          .object({
            ...AuditEvent.shape,
            cursor: AuditCursor.meta({ description: 'Goes on behind this event.' }),
          })
          .meta({ id: 'ExportedAuditEvent' }),
      ),
      more: z.boolean().meta({ description: 'There is more already.' }),
      next: z.object({ page: AuditCursor.meta({ description: 'Goes on behind these events.' }) }),
    })
    .meta({ id: 'AuditExport' });
export type AuditExport = z.output<ReturnType<typeof auditExport>>;

const auditEventAction = (action: Action) =>
  z
    .object({ object: z.literal('audit-event-action'), id: action, target: z.object({ object: z.string() }) })
    .meta({ id: 'AuditEventAction' });

const base = {
  service: 'identity',
  tag: 'Audit',
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] },
} as const;
const params = z.object({ organizationId: Id });
const Name = z.string().min(1).max(128);

function exportOperation(AuditEvent: ReturnType<typeof auditEvent>) {
  return operation({
    ...base,
    id: 'exportOrganizationAuditEvents',
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events/export',
    summary: 'Export what happened in an organization, oldest first, from a cursor on',
    params,
    query: z.object({
      after: z
        .union([AuditCursor, z.literal('now')])
        .optional()
        .meta({
          description: 'Cursor of the last event that is known; `now` for what comes; without it, from the beginning.',
        }),
      limit: z.int().min(1).max(1000).default(100),
    }),
    response: auditExport(AuditEvent),
    stream: { after: 'after', topic: 'organizationId', lines: true },
  });
}

/** The operations with which admins read the audit log of an organization. */
export function auditOperations(action: Action) {
  const AuditEvent = auditEvent(action);
  return {
    listOrganizationAuditEvents: operation({
      ...base,
      id: 'listOrganizationAuditEvents',
      method: 'GET',
      path: '/orgs/{organizationId}/audit-events',
      summary: 'List what happened in an organization, newest first',
      params,
      query: auditQuery(action),
      response: listOf(AuditEvent),
    }),
    exportOrganizationAuditEvents: exportOperation(AuditEvent),
    getOrganizationAuditEventById: operation({
      ...base,
      id: 'getOrganizationAuditEventById',
      method: 'GET',
      path: '/orgs/{organizationId}/audit-events/{auditEventId}',
      summary: 'Get one audit event',
      params: z.object({ organizationId: Id, auditEventId: Id }),
      response: AuditEvent,
    }),
    listOrganizationAuditEventActions: operation({
      ...base,
      id: 'listOrganizationAuditEventActions',
      method: 'GET',
      path: '/orgs/{organizationId}/audit-event-actions',
      summary: 'List the actions that audit events can have',
      params,
      query: z.object(paging),
      response: listOf(auditEventAction(action)),
    }),
  };
}

const auditQuery = (action: Action) =>
  z.object({
    page: paging.page,
    limit: z.int().min(0).max(100).default(20),
    from: Moment.optional().meta({ description: 'Nothing before this moment.' }),
    to: Moment.optional().meta({ description: 'Nothing at this moment or after it.' }),
    action: action.optional(),
    actor: Name.optional().meta({ description: 'Id of who did it.' }),
    target: Name.optional().meta({ description: 'Id of what it was done to.' }),
    space: Name.optional().meta({ description: 'Id of the space that it happened in.' }),
  });
