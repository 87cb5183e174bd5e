import type { DeliveryReplay } from '@scriptorium/contracts';
import type { RunView } from '@scriptorium/event-sourcing';
import { showRun } from '@scriptorium/platform';
import { replayRun } from './replay.run.js';

/** A replay as it is answered. */
export function showReplay(run: RunView, location: string): DeliveryReplay {
  const { from, to, types } = replayRun.input.parse(run.input);
  return {
    object: 'delivery-replay',
    ...showRun(run),
    from,
    to,
    types: types as DeliveryReplay['types'],
    urls: { location },
  };
}
