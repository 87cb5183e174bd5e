import { AppError, wireHeader } from '@scriptorium/contracts';
import type { WireReply, WireRequest } from '../handlers/exchange.js';
import type { RequestMetrics } from '../observability/metrics.js';
import type { Tracing } from '../observability/tracing.js';

type Handle = (request: WireRequest) => Promise<WireReply>;

/** The same handler with metrics and a span. Refusals are answers and no errors of the service. */
export function observed(handle: Handle, metrics: RequestMetrics, tracing: Tracing): Handle {
  const traced: Handle = (request) => {
    const parent = request.headers[wireHeader.traceparent];
    return tracing.span(request.operation, { kind: 'server', parent }, (traceparent) =>
      handle(traceparent === parent || traceparent === undefined ? request : withTrace(request, traceparent)),
    );
  };
  return async (request) => {
    const started = performance.now();
    try {
      const reply = await traced(request);
      metrics.observe(request.operation, 'ok', performance.now() - started);
      return reply;
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : 'unexpected';
      metrics.observe(request.operation, reason, performance.now() - started);
      throw error;
    }
  };
}

function withTrace(request: WireRequest, traceparent: string): WireRequest {
  return { ...request, headers: { ...request.headers, [wireHeader.traceparent]: traceparent } };
}
