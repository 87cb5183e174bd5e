import { parseConfig } from '@scriptorium/platform/config';
import { requestMetrics } from '@scriptorium/platform/metrics';
import { runProcess } from '@scriptorium/platform/process';
import { createTracing } from '@scriptorium/platform/tracing';
import { gatewayConfig, gatewaySettings } from './config.js';
import { createGateway } from './create.js';

await runProcess(
  'gateway',
  () => parseConfig(gatewaySettings, process.env),
  async (settings, { logger, registry }) => {
    const metrics = requestMetrics(registry, 'gateway');
    const tracing = await createTracing('gateway', settings.OTEL_EXPORTER_OTLP_ENDPOINT);
    const gateway = await createGateway(gatewayConfig(settings), {
      logger,
      tracing,
      observe: metrics.observe,
    });
    logger.info({ address: gateway.address }, 'listening');
    return [gateway];
  },
);
