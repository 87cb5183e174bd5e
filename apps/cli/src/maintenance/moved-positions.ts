import { wireHeader } from '@scriptorium/contracts';
import type { PositionPlaces } from '@scriptorium/event-sourcing';

/** A position in the text of a run or of a timer. */
function inText(collection: string, of: Readonly<Record<string, string>>, field: string, ...path: string[]) {
  return { collection, of, field, path };
}

/** Where documents of services name positions of the log. Whoever keeps one in another place adds it here. */
export const positionPlaces: PositionPlaces = {
  ids: ['op_deliveries'],
  texts: [
    inText('op_timers', { command: 'drop_site_configurations' }, 'data', 'position'),
    inText('op_runs', { kind: 'setup_targets' }, 'input', 'position'),
    inText('op_runs', { kind: 'setup_installations' }, 'input', 'position'),
    inText('op_runs', { kind: 'replay_deliveries' }, 'input', 'through'),
    inText('op_runs', { kind: 'replay_deliveries' }, 'state', 'position'),
    inText('op_runs', { kind: 'unpublish_integration' }, 'state', 'telling', 'position'),
  ],
  // Everything that these positions ask to wait for has been read when a moved installation answers.
  dropped: [
    { collection: 'op_answers', path: ['reply', 'headers', wireHeader.position] },
    { collection: 'op_answers', path: ['reply', 'headers', wireHeader.types] },
  ],
};
