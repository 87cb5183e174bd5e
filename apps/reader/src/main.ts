import { parseConfig } from '@scriptorium/platform/config';
import { runProcess } from '@scriptorium/platform/process';
import { createWorkerPool } from '@scriptorium/platform/workers';
import { readerSettings } from './settings.js';
import { startReader } from './start-reader.js';

await runProcess(
  'reader',
  () => parseConfig(readerSettings, process.env),
  async (settings, { logger, workers = createWorkerPool() }) => {
    const config = {
      host: settings.READER_HOST,
      port: settings.READER_PORT,
      apiUrl: settings.READER_API_URL,
      appOrigin: new URL(settings.READER_APP_URL).origin,
      contentOrigin: new URL(settings.CONTENT_ORIGIN).origin,
      timeoutMs: settings.READER_TIMEOUT_MS,
      mostAtOnce: settings.READER_MOST_AT_ONCE,
    };
    const logError = (error: unknown, at: string) => logger.error({ err: error, at }, 'A page could not be shown');
    const { address, stop } = await startReader(config, { workers, logError });
    logger.info({ address }, 'listening');
    return [{ name: 'reader', checks: () => Promise.resolve([]), stop }];
  },
);
