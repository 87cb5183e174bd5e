import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { spacePurge } from '../spaces/index.js';
import { scheduleDrop } from './drop-texts.timer.js';
import { dropTexts } from './texts.operational.js';

/**
 * With a space everything goes that was written about it: now, and once more when no request can be under way any more.
 */
export function purgedSpacesReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'texts_of_purged_spaces',
    entities: ['content.library'],
    events: [spacePurge],
    react: async ({ data: { space }, meta }, store) => {
      await dropTexts(context, { space });
      await scheduleDrop(store, { space }, meta.time);
      // Answers that are kept for repeated requests show texts.
      await context.idempotency.forget();
    },
  });
}
