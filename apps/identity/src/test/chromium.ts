import { existsSync } from 'node:fs';

/** The path of a browser of this machine. Without one the browser specs are skipped. */
export const executable = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path));
