import { defineDomain } from '@scriptorium/platform';
import { adminAlertsReactor } from './admin-alerts.reactor.js';
import { auditEvents } from './audit-event.projection.js';
import { AuditController } from './audit.controller.js';
import { ChangesController } from './changes.controller.js';

/** The history of organizations: audit events, the change feed, and alerts to admins. It imports no other domain. */
export const activity = defineDomain({
  name: 'activity',
  controllers: [AuditController, ChangesController],
  projections: [auditEvents],
  reactors: () => [adminAlertsReactor],
});
