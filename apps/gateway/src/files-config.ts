import { ConfigError } from '@scriptorium/platform/config';
import * as z from 'zod';

const count = z.coerce.number().int();
const contentOrigin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https?:\/\/[^/?#@]+\/?$/.test(url), 'Must be an origin, without a path')
  .optional();

/** Settings of the gateway about its second port, for bytes of files and pages of sites. */
export const filesSettings = {
  CONTENT_PORT: count
    .min(0)
    .max(65_535)
    .default(8081)
    .describe('Port for bytes of files, on the same address; 0 takes a free one.'),
  CONTENT_ORIGIN: contentOrigin.describe(
    'Address under which clients reach that port: an origin of its own, so that no file comes from that of the API.',
  ),
  SITE_READER_URL: z
    .url({ protocol: /^http$/ })
    .optional()
    .describe(
      'Address of the reader, whose pages of sites are shown at `/~site/…` of that port; unset: there are none. `npm start` sets it.',
    ),
  MAX_FILE_TRANSFERS: count.min(1).max(100_000).default(500).describe('Uploads and downloads of files at a time.'),
  FILE_TIMEOUT_MS: count.min(1_000).default(600_000).describe('Time for a whole upload or download of a file.'),
  FILE_IDLE_TIMEOUT_MS: count.min(100).default(60_000).describe('Time in which a transfer of a file may move no byte.'),
} as const;

/** How bytes of files are served. Times in milliseconds. */
export interface FilesConfig {
  port: number;
  /** Where clients reach the port, without a slash at its end. */
  origin: string;
  /** Where the reader is reached, without a slash at its end. */
  readerUrl?: string | undefined;
  mostTransfers: number;
  timeoutMs: number;
  idleTimeoutMs: number;
}

interface Environment extends z.output<z.ZodObject<typeof filesSettings>> {
  HOST: string;
  PORT: number;
  PUBLIC_URL?: string | undefined;
}

/** @throws ConfigError when files would come from the origin of the API */
export function filesConfig(env: Environment): FilesConfig {
  const origin = (env.CONTENT_ORIGIN ?? `http://${env.HOST}:${env.CONTENT_PORT}`).replace(/\/$/, '');
  const api = new URL(env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).origin;
  if (new URL(origin).origin === api) throw new ConfigError('CONTENT_ORIGIN: Must not be the origin of PUBLIC_URL');
  return {
    port: env.CONTENT_PORT,
    origin,
    readerUrl: env.SITE_READER_URL?.replace(/\/+$/, ''),
    mostTransfers: env.MAX_FILE_TRANSFERS,
    timeoutMs: env.FILE_TIMEOUT_MS,
    idleTimeoutMs: env.FILE_IDLE_TIMEOUT_MS,
  };
}
