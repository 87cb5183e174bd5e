import { limits, type LimitDeclaration, type Limits } from '@scriptorium/contracts';
import * as z from 'zod';
import { isNetworkList } from '../outbound/addresses.js';

export { integrationsOrigin } from './integrations-origin.js';

/** An invalid setting, which prevents the start. `message` is one line that names the variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Exit code for a wrong setting (EX_CONFIG of sysexits.h): starting again would not help. */
export const badSettings = 78;

/** Exit code when code and data do not fit each other (EX_SOFTWARE): other code or other data is needed. */
export const unfit = 70;

const port = z.coerce.number().int().min(0).max(65_535);

/** The settings of every process. Their descriptions become the lines of docs/configuration.md. */
export const processSettings = {
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .default('scriptorium')
    .describe('Prefix of streams, subjects and the database name'),
  NATS_URL: z.url().describe('NATS server, `nats://host:port`'),
  ADMIN_HOST: z.string().default('127.0.0.1').describe('Address of metrics and readiness details'),
  ADMIN_PORT: port.default(0).describe('Port of metrics and readiness details; 0 takes a free one'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`auto`: readable lines on a terminal, JSON otherwise'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where traces go (OTLP over HTTP, `http://host:4318`); unset: nowhere'),
  SECRET_KEYS: z
    .string()
    .describe(
      'Keyring, `id:base64` separated by commas: the first signs, the others verify; `reservation:base64` is required and never rotated',
    ),
} as const;

/** The name of the setting of a limit: `membersPerTeam` is `MAX_MEMBERS_PER_TEAM`. */
export function settingOfLimit(name: string): string {
  return `MAX_${name.replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4').toUpperCase()}`;
}

const limitSetting = (name: string, { preset, of, most = 1_000_000, inTime }: LimitDeclaration) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(preset)
    .describe(`Limit \`${name}\`: ${of}; beyond it ${inTime === true ? '429 `rate_limited`' : '409 `limit_reached`'}`);

/** One setting for each limit of the contract. */
export const limitSettings: Readonly<Record<string, ReturnType<typeof limitSetting>>> = Object.fromEntries(
  Object.entries(limits).map(([name, limit]) => [settingOfLimit(name), limitSetting(name, limit)]),
);

/** The limits of an installation by their names in the contract. */
export function limitsOf(settings: Readonly<Record<string, unknown>>): Limits {
  return Object.fromEntries(Object.keys(limits).map((name) => [name, settings[settingOfLimit(name)]])) as Limits;
}

/** The settings of every service with events. Settings of a single domain are declared there: see `defineDomain`. */
export const serviceSettings = {
  ...processSettings,
  ...limitSettings,
  EVENTSTORE_URL: z
    .string()
    .regex(/^(esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\//, 'Must be an esdb:// or kurrentdb:// URL')
    .describe('EventStoreDB 24.2 or newer, `esdb://host:port?tls=false` or `kurrentdb://`'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).describe('Base of every `urls.location` in answers'),
  APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base of every `urls.app` in answers; `PUBLIC_URL` unless set'),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'Must be a mongodb:// URL')
    .describe('MongoDB, `mongodb://host:port`'),
  WORKER_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Threads of one process for work that takes much CPU; unset: as many as there are processors, at least 2',
    ),
  WORKER_HEAP_MB: z.coerce
    .number()
    .int()
    .min(64)
    .max(4096)
    .default(256)
    .describe('Heap of each of these threads, in MiB; a task that needs more is refused'),
  OUTBOUND_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .refine(isNetworkList, 'Must be networks such as 10.1.0.0/16, separated by commas')
    .describe(
      'Networks besides the public ones that addresses given by users may lead to (webhooks, embeds, imports), `10.1.0.0/16,fd00:7::/32`',
    ),
  RUNS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe('Runs (imports, exports and other long work) that one process of a service works on at a time'),
} as const;

/** The settings that every service has. */
export type ServiceConfig = z.output<z.ZodObject<typeof serviceSettings>>;

/**
 * Reads the settings of a process from its environment. An empty variable counts as not set.
 * @throws ConfigError naming the first variable with an invalid value, and the rule it breaks
 */
export function parseConfig<S extends z.ZodRawShape>(
  settings: S,
  environment: Record<string, string | undefined>,
): z.output<z.ZodObject<S>> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = z.object(settings).safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? 'environment');
  const missing = present[name] === undefined;
  throw new ConfigError(missing ? `${name} is not set` : `${name}: ${issue?.message ?? 'is not valid'}`);
}
