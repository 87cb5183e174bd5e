import {
  exportOrganizationAuditEvents,
  getOrganizationAuditEventById,
  listOrganizationAuditEventActions,
  listOrganizationAuditEvents,
  publicActions,
  streamOfAction,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, pageBy, type Call } from '@scriptorium/platform';
import { exportAuditEvents } from './audit-export.queries.js';
import { getAuditEvent, listAuditEvents } from './audit.queries.js';

@Controller()
export class AuditController {
  @Handles(listOrganizationAuditEvents)
  list({ params, query }: InputOf<typeof listOrganizationAuditEvents>, call: Call) {
    return listAuditEvents(call, { ...query, organization: params.organizationId, operation: call.operation });
  }

  @Handles(exportOrganizationAuditEvents)
  export({ params, query }: InputOf<typeof exportOrganizationAuditEvents>, call: Call) {
    return exportAuditEvents(call, { ...query, organization: params.organizationId, after: query.after });
  }

  @Handles(getOrganizationAuditEventById)
  get({ params }: InputOf<typeof getOrganizationAuditEventById>, call: Call) {
    return getAuditEvent(call, params.organizationId, params.auditEventId);
  }

  @Handles(listOrganizationAuditEventActions)
  async actions({ query }: InputOf<typeof listOrganizationAuditEventActions>, call: Call) {
    const { items, ...page } = await pageBy(call.cursors, {
      binding: { operation: call.operation, scope: {}, sort: 'id', order: 'asc' },
      request: query,
      fetch: (limit, after) =>
        publicActions.filter((action) => after === undefined || action > after[1]).slice(0, limit),
      count: () => publicActions.length,
      keysOf: (action) => [action, action],
    });
    return {
      ...page,
      items: items.map((id) => ({
        object: 'audit-event-action' as const,
        id,
        target: { object: streamOfAction.get(id)?.target.object ?? '' },
      })),
    };
  }
}
