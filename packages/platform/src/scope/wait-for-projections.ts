import { AppError } from '@scriptorium/contracts';
import type { AnyProjection } from '@scriptorium/event-sourcing';
import type { Scope } from './scope.js';

/**
 * Waits until these read models show an event. For reactors. A read model that is being rebuilt or has stopped never
 * counts as showing the event.
 * @throws AppError `unavailable` when they do not show it in time; then the event is tried again
 */
export async function waitForProjections(
  { store }: Pick<Scope, 'store'>,
  event: { position: bigint; type: string },
  models: readonly Pick<AnyProjection, 'collection'>[],
): Promise<void> {
  const shown = await store.visible({ position: event.position, types: [event.type] });
  if (!shown || !store.isLive(models))
    throw new AppError('unavailable', [], { message: 'The read models are not up to date yet, try again' });
}
