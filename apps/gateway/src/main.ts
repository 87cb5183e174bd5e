import { createTracing, parseConfig, requestMetrics, runProcess } from '@scriptorium/platform';
import { gatewayConfig, gatewaySettings } from './config.js';
import { createGateway } from './create.js';

await runProcess('gateway', () => parseConfig(gatewaySettings, process.env), async (settings, { logger, registry }) => {
  const metrics = requestMetrics(registry, 'gateway');
  const tracing = createTracing('gateway', settings.OTEL_EXPORTER_OTLP_ENDPOINT);
  const gateway = await createGateway(gatewayConfig(settings), {
    logger,
    tracing,
    observe: ({ operation, outcome, milliseconds }) => metrics.observe(operation, outcome, milliseconds),
  });
  logger.info({ address: gateway.address }, 'listening');
  return [gateway];
});
