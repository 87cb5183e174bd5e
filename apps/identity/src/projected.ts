import { AppError } from '@scriptorium/contracts';
import type { AnyProjection } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

/**
 * Waits, in a reactor, until these read models show its event. One that is being built or has stopped shows nothing for
 * sure, however far it is.
 * @throws `unavailable` when they do not yet: the event is tried again.
 */
export async function projected(
  { store }: ServiceContext,
  event: { position: bigint; type: string },
  models: readonly Pick<AnyProjection, 'collection'>[],
): Promise<void> {
  const shown = await store.visible({ position: event.position, types: [event.type] });
  if (!shown || !store.isLive(models)) throw new AppError('unavailable', [], { message: 'The projections are behind' });
}
