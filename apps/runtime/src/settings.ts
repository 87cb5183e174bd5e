import { processSettings, serviceSettings } from '@scriptorium/platform/config';
import * as z from 'zod';

const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;
const { OUTBOUND_ALLOWED_NETWORKS } = serviceSettings;
const origin = z.url({ protocol: /^https?$/ });
const whole = (least: number, most: number, preset: number) =>
  z.coerce.number().int().min(least).max(most).default(preset);

/** The settings of the runtime. It knows no keyring, no store and no queue. */
export const settings = {
  ADMIN_HOST,
  ADMIN_PORT,
  LOG_LEVEL,
  LOG_FORMAT,
  OUTBOUND_ALLOWED_NETWORKS,
  RUNTIME_HOST: z.string().min(1).default('127.0.0.1').describe('Address of the runtime'),
  RUNTIME_PORT: whole(0, 65_535, 8084).describe('Port of the runtime; 0 takes a free one'),
  RUNTIME_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,512}$/, 'Must be 32 to 512 visible ASCII characters')
    .describe('Key that callers of the runtime show; a key of its own, that is not in the keyring'),
  RUNTIME_API_ORIGIN: origin.describe(
    '`PUBLIC_URL` of the services: scripts may send requests to this origin, wherever it is',
  ),
  RUNTIME_API_URL: origin
    .optional()
    .describe('Address at which the runtime reaches that origin, such as a name within a cluster; unset: the same'),
  RUNTIME_PROCESSES: whole(1, 256, 16).describe(
    'Processes of scripts at a time; the one that was used least recently makes room for another',
  ),
  RUNTIME_MEMORY_MB: whole(192, 8192, 256).describe(
    'Resident memory of one process of a script; beyond it, it is ended',
  ),
  RUNTIME_TOTAL_MB: whole(256, 65_536, 1024).describe(
    'Resident memory of all of them; beyond it idle ones are ended, then the largest, and new ones wait',
  ),
  RUNTIME_ISOLATION: z
    .enum(['version', 'organization'])
    .default('version')
    .describe(
      '`version`: one process for each version of an integration; `organization`: one for each organization, too',
    ),
} as const;

export type RuntimeSettings = z.output<z.ZodObject<typeof settings>>;
