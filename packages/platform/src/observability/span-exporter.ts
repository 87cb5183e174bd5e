import { AppError, reasonStatus } from '@scriptorium/contracts';
import { SpanKind, SpanStatusCode, trace, TraceFlags, ROOT_CONTEXT, type Context, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Tracing } from './spans.js';

/** Traces to an OTLP endpoint: `http://host:4318`. */
export function tracingToEndpoint(service: string, endpoint: string): Tracing {
  return tracingTo(service, new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 5_000 }));
}

/** Traces to any exporter. Nothing global is registered, so that several apps of a process keep their traces apart. */
export function tracingTo(service: string, exporter: SpanExporter): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `scriptorium-${service}` }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 2_048, exportTimeoutMillis: 5_000 })],
  });
  const tracer = provider.getTracer('scriptorium');
  return {
    async span(name, { kind, parent, attributes = {} }, work) {
      const span = tracer.startSpan(
        name,
        { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT, attributes },
        contextOf(parent),
      );
      try {
        return await work(traceparentOf(span));
      } catch (error) {
        if (isFailure(error))
          span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
        throw error;
      } finally {
        span.end();
      }
    },
    async stop() {
      await Promise.race([provider.shutdown(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    },
  };
}

/** Whether an error is a failure of the product. A refusal is an answer and no failure. */
function isFailure(error: unknown): boolean {
  return !(error instanceof AppError) || reasonStatus[error.reason] >= 500;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '00', 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}
