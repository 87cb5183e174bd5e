import { ConfigError, parseConfig, processSettings } from '@scriptorium/platform/config';
import { runProcess } from '@scriptorium/platform/process';
import { readConfig, type GatewayConfig } from './config.js';
import { createGateway } from './create.js';

const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;

await runProcess(
  'gateway',
  () => ({ ...parseConfig({ ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT }, process.env), gateway: gatewayConfig() }),
  async ({ gateway }, { logger }) => {
    const app = await createGateway(gateway, { logger });
    return [{ name: 'gateway', checks: () => Promise.resolve([]), stop: () => app.stop() }];
  },
);

function gatewayConfig(): GatewayConfig {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
