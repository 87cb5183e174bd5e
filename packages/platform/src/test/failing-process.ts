import { existsSync } from 'node:fs';
import { parseConfig, processSettings } from '../process/config.js';
import { runProcess } from '../process/process.js';

const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;

/** A process that cannot start, which it finds out while it hears of nothing else: once the file `FAIL_AT` is there. */
await runProcess(
  'spec',
  () => parseConfig({ ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT }, process.env),
  () => {
    process.stderr.write('starting\n');
    while (!existsSync(process.env['FAIL_AT'] ?? ''));
    return Promise.reject(new Error('no server'));
  },
);
