import { AppError } from '@scriptorium/contracts';
import type { AnyProjection, StoreScope } from '@scriptorium/event-sourcing';
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
  await requireVisible(store, { position: event.position, types: [event.type] });
  requireLive(store, models);
}

/**
 * For timers, which begin before read models that are built anew are complete.
 * @throws AppError `unavailable` while one of these read models is being rebuilt or has stopped; then the timer is
 * tried again
 */
export function requireLive(
  store: Pick<StoreScope, 'isLive'>,
  models: readonly Pick<AnyProjection, 'collection'>[],
): void {
  if (!store.isLive(models)) throw behind();
}

/** Waits until the read models show what was written. @throws AppError `unavailable` when they do not in time */
export async function requireVisible(
  store: Pick<StoreScope, 'waitUntilVisible'>,
  written: Parameters<StoreScope['waitUntilVisible']>[0],
): Promise<void> {
  if (!(await store.waitUntilVisible(written))) throw behind();
}

function behind(): AppError {
  return new AppError('unavailable', [], { message: 'The read models are not up to date yet, try again' });
}
