import { parseConfig } from '@scriptorium/platform/config';
import { requestMetrics } from '@scriptorium/platform/metrics';
import { runProcess } from '@scriptorium/platform/process';
import type { Tracing } from '@scriptorium/platform/tracing';
import { gatewayConfig, gatewaySettings } from './config.js';
import { createGateway } from './create.js';

await runProcess(
  'gateway',
  () => parseConfig(gatewaySettings, process.env),
  async (settings, { logger, registry }) => {
    const metrics = requestMetrics(registry, 'gateway');
    const tracing = await tracingTo(settings.OTEL_EXPORTER_OTLP_ENDPOINT);
    const gateway = await createGateway(gatewayConfig(settings), {
      logger,
      ...(tracing === undefined ? {} : { tracing }),
      observe: ({ operation, outcome, milliseconds }) => metrics.observe(operation, outcome, milliseconds),
    });
    logger.info({ address: gateway.address }, 'listening');
    return [gateway];
  },
);

/** The exporter is large, so it is loaded only if traces are exported. */
async function tracingTo(endpoint: string | undefined): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('@scriptorium/platform/tracing');
  return createTracing('gateway', endpoint);
}
