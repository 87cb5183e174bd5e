import type { Tracing } from './spans.js';

export type { SpanOptions, Tracing } from './spans.js';

/** Disabled tracing: it forwards contexts and records nothing. */
export const noTracing: Tracing = {
  span: (_name, { parent }, work) => work(parent),
  stop: () => Promise.resolve(),
};

/**
 * Traces to an OTLP endpoint (`http://host:4318`), or disabled tracing without one. The exporter is large, so it is
 * loaded only if traces are exported.
 */
export async function createTracing(service: string, endpoint: string | undefined): Promise<Tracing> {
  if (endpoint === undefined) return noTracing;
  const { tracingToEndpoint } = await import('./span-exporter.js');
  return tracingToEndpoint(service, endpoint);
}
