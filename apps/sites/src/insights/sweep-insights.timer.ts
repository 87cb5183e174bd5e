import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { dropOldInsights } from './insights.operational.js';

/** Removes what was counted too long ago. */
export function sweepInsights(context: Pick<ServiceContext, 'database' | 'now'>): TimerHandler {
  return () => dropOldInsights(context, context.now());
}
