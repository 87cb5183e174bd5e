import { processSettings } from '@scriptorium/platform/config';
import * as z from 'zod';
import { passwordForm } from '../installation/server-passwords.js';

const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;
/** A server without a port is not started and needs no password. */
const password = z.string().regex(passwordForm, 'Must be 32 to 128 letters, digits, - and _').optional();
const port = z.coerce.number().int().min(1).max(65_535).optional();

/** Settings of the process of embedded servers that users may set. */
export const serversSettings = {
  SCAVENGE_HOURS: z.coerce
    .number()
    .min(0)
    .max(500)
    .default(24)
    .describe(
      'Hours between two runs that remove what was deleted from the files of the embedded log and documents; 0: never',
    ),
};

/** All settings of the process. A server without a port is not started. */
export const serversProcessSettings = {
  ADMIN_HOST,
  ADMIN_PORT,
  LOG_LEVEL,
  LOG_FORMAT,
  ...serversSettings,
  EMBEDDED_DATA_DIR: z.string().min(1),
  EMBEDDED_EVENTSTORE_PORT: port,
  EMBEDDED_MONGODB_PORT: port,
  EMBEDDED_NATS_PORT: port,
  EMBEDDED_EVENTSTORE_PASSWORD: password,
  EMBEDDED_MONGODB_PASSWORD: password,
  EMBEDDED_NATS_PASSWORD: password,
};

export type ServersSettings = z.output<z.ZodObject<typeof serversProcessSettings>>;
