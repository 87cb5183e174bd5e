import { processSettings, serviceSettings } from '@scriptorium/platform/config';
import * as z from 'zod';

const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;
const { WORKER_THREADS, WORKER_HEAP_MB } = serviceSettings;
const origin = z.url({ protocol: /^https?$/ });

/** The settings of the reader. It knows no keys and no servers: it is a client of the API. */
export const readerSettings = {
  ADMIN_HOST,
  ADMIN_PORT,
  LOG_LEVEL,
  LOG_FORMAT,
  WORKER_THREADS,
  WORKER_HEAP_MB,
  READER_HOST: z.string().min(1).default('127.0.0.1').describe('Address of the reader'),
  READER_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8082)
    .describe('Port of the reader; 0 takes a free one'),
  READER_API_URL: origin.describe('Address at which the reader reaches the API, without `/v1`'),
  READER_APP_URL: origin.describe(
    '`APP_URL` of the services, else their `PUBLIC_URL`: the API knows `/~site/…` under it',
  ),
  CONTENT_ORIGIN: origin.describe('Base of the addresses of files, under which the gateway shows `/~site/…`, too'),
  READER_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(10_000).describe('Time for one page'),
  READER_MOST_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('Pages that are made at a time; beyond it 503'),
} as const;

export type ReaderSettings = z.output<z.ZodObject<typeof readerSettings>>;
