import { AppError } from '@scriptorium/contracts';
import type { AnyProjection } from '@scriptorium/event-sourcing';
import type { Scope } from './scope.js';

/**
 * Waits, in a reactor, until these read models show its event. A read model that is being built anew, or has stopped, is
 * never taken for one that shows the event, however far it is.
 * @throws AppError `unavailable` when they do not show it in time: the event is tried again.
 */
export async function waitForProjections(
  { store }: Pick<Scope, 'store'>,
  event: { position: bigint; type: string },
  models: readonly Pick<AnyProjection, 'collection'>[],
): Promise<void> {
  const shown = await store.visible({ position: event.position, types: [event.type] });
  if (!shown || !store.isLive(models)) throw new AppError('unavailable', [], { message: 'The projections are behind' });
}
