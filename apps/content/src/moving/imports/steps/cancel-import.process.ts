import { AppError } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { endImport } from '../imports.operational.js';

/** Cancels an import that has not ended. */
export async function cancelImport(
  call: Call,
  { organizationId, importId }: { organizationId: string; importId: string },
): Promise<void> {
  try {
    await call.store.in(organizationId).cancelRun(importId);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    // The request that began it was cut off before there was a run.
    const completedAt = new Date(call.now()).toISOString();
    if (!call.store.dry) await endImport(call, importId, { status: 'cancelled', completedAt });
  }
}
