import { AppError } from '@scriptorium/contracts';
import type { WireReply, WireRequest } from './dispatch.js';
import type { RequestMetrics } from './metrics.js';

/** The same handler, with its rate, errors and duration measured. Refusals are answers, not errors of the service. */
export function observed(
  handle: (request: WireRequest) => Promise<WireReply>,
  metrics: RequestMetrics,
): (request: WireRequest) => Promise<WireReply> {
  return async (request) => {
    const started = performance.now();
    try {
      const reply = await handle(request);
      metrics.observe(request.operation, 'ok', performance.now() - started);
      return reply;
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : 'unexpected';
      metrics.observe(request.operation, reason, performance.now() - started);
      throw error;
    }
  };
}
