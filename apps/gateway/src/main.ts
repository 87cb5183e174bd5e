import { readConfig } from './config.js';
import { createGateway } from './create.js';

const app = await createGateway(readConfig(process.env));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.stop());
process.stdout.write(`${app.address}\n`);
