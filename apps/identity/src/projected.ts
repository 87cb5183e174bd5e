import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';

/** Waits, in a reactor, until the read models show its event. @throws when they do not yet: the event is tried again. */
export async function projected(context: ServiceContext, event: { position: bigint; type: string }): Promise<void> {
  const shown = await context.store.visible({ position: event.position, types: [event.type] });
  if (!shown) throw new AppError('unavailable', [], { message: 'The projections are behind' });
}
