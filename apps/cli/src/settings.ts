import { parseConfig, processSettings, serviceSettings } from '@scriptorium/platform/config';
import * as z from 'zod';
import { canBeFolder } from './can-be-folder.js';

const { ADMIN_HOST, LOG_FORMAT, LOG_LEVEL, NAMESPACE, SECRET_KEYS } = processSettings;
const { EVENTSTORE_URL, MONGODB_URL, APP_URL, PUBLIC_URL } = serviceSettings;

/** The first user and organization, for the first start and for `scriptorium bootstrap`. */
const firstRunSettings = {
  FIRST_USER_EMAIL: z.email().default('admin@example.com').describe('Address of the first user, an operator'),
  FIRST_USER_NAME: z.string().min(1).max(64).default('Administrator').describe('Name of the first user'),
  FIRST_ORGANIZATION_TITLE: z
    .string()
    .min(2)
    .max(255)
    .default('My organization')
    .describe('Title of the first organization'),
};

/** Settings of `scriptorium start`. All processes that it starts get its whole environment. */
export const startSettings = {
  HOST: z.string().min(1).default('127.0.0.1').describe('Address of the gateway'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Port of the gateway; 0 takes a free one'),
  CONTENT_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of the gateway for bytes of files; unset: the one that the first start chose, the first free one behind `PORT`; 0 takes any free one',
    ),
  CONTENT_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base of the addresses of files; `http://HOST:CONTENT_PORT` unless set'),
  INTEGRATIONS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of the gateway for public addresses of integrations; unset: the one that the first start chose, the next free one behind `PORT`; 0 takes any free one',
    ),
  INTEGRATIONS_ORIGIN: z
    .string()
    .regex(/^https?:\/\/(\*\.)?[^/?#@*]+\/?$/, 'Must be an origin, without a path')
    .optional()
    .describe(
      'Base of these addresses, in which `*` stands for a name of each integration; `http://*.integrations.localhost:INTEGRATIONS_PORT` unless set',
    ),
  SITE_READER: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether published sites are shown, at `/~site/<id>/` of `CONTENT_ORIGIN`'),
  PUBLISH_DOMAIN: z
    .string()
    .min(1)
    .optional()
    .describe('Domain below which sites are published; unset: they are published at `SITES_ORIGIN`'),
  SITES_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Origin at which sites are published, at `/~site/<id>/`; unset: `CONTENT_ORIGIN`, where the reader shows them and `PUBLISH_DOMAIN` is unset, too',
    ),
  RUNTIME: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('`auto`: scripts of integrations run on this machine, or where `RUNTIME_URL` says; `off`: nowhere'),
  RUNTIME_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a runtime of scripts elsewhere, which needs `RUNTIME_KEY`; unset: one is started here'),
  RUNTIME_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,512}$/, 'Must be 32 to 512 visible ASCII characters')
    .optional()
    .describe('Key of the runtime of scripts; unset: a new one at each start'),
  PUBLIC_URL: PUBLIC_URL.optional().describe('Base of every `urls.*`; `http://HOST:PORT` unless set'),
  APP_URL,
  DATA_DIR: z
    .string()
    .min(1)
    .refine(canBeFolder, 'Must be a folder, and is a file or lies below one')
    .default('./.data')
    .describe('Folder of the embedded servers, keys and first token; created with mode 0700'),
  RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(1000)
    .describe('Requests a minute and token, 0 = no rate is limited'),
  EVENTSTORE_URL: EVENTSTORE_URL.optional().describe(
    'EventStoreDB 24.2 or newer, `esdb://host:port?tls=false` or `kurrentdb://`; unset: the embedded one',
  ),
  MONGODB_URL: MONGODB_URL.optional().describe('MongoDB, `mongodb://host:port`; unset: the embedded one'),
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\//, 'Must be a nats:// URL')
    .optional()
    .describe('NATS, `nats://host:port`; unset: the embedded one'),
  SECRET_KEYS: SECRET_KEYS.optional().describe('Keyring; unset: `DATA_DIR/secret-keys`, made at the first start'),
  NAMESPACE,
  ADMIN_HOST,
  LOG_LEVEL,
  LOG_FORMAT,
  ...firstRunSettings,
};

export type StartSettings = z.output<z.ZodObject<typeof startSettings>>;

/** Settings of `scriptorium bootstrap`, which needs a running installation and nothing else on this machine. */
export const bootstrapSettings = {
  NATS_URL: startSettings.NATS_URL.unwrap().describe('NATS server of the installation, `nats://host:port`'),
  NAMESPACE,
  ...firstRunSettings,
};

export type BootstrapSettings = z.output<z.ZodObject<typeof bootstrapSettings>>;

/** Settings of all commands that ask a running installation. */
export const addressSettings = {
  DATA_DIR: startSettings.DATA_DIR.describe('Folder in which the first start has left address and token'),
  SCRIPTORIUM_URL: PUBLIC_URL.optional().describe('Address of the installation; unset: that in `DATA_DIR`'),
  SCRIPTORIUM_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'Must be visible ASCII characters')
    .optional()
    .describe('Token of the person who asks; unset: the first one, in `DATA_DIR`, which is that of an operator'),
};

/** Settings of `scriptorium backup`, `restore` and `verify`. */
export const folderSettings = {
  DATA_DIR: startSettings.DATA_DIR.describe('Folder of the embedded servers and keys'),
  FILES_STORE: z
    .string()
    .min(1)
    .default('folder')
    .describe('Where bytes of files are kept, as the product has it; those in a folder are part of a backup'),
};

/** The name of a store of bytes of files. */
export const filesStoreForm = /^(folder(:.+)?|mongodb|s3:[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])$/;

/** Settings of `scriptorium move`. */
export const moveSettings = {
  DATA_DIR: startSettings.DATA_DIR.describe('Folder of the embedded servers, from which or into which is copied'),
  FILES_STORE: z
    .string()
    .regex(filesStoreForm, 'Must be folder, folder:<path>, mongodb or s3:<bucket>')
    .default('folder')
    .describe('Where bytes of files are kept; those in a folder are checked'),
  FILES_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('S3-compatible store for `s3:<bucket>`; unset: that of AWS'),
  FILES_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket'),
  FILES_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Key of the bucket; unset: what the environment gives, as the AWS tools find it'),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of that key'),
  EVENTSTORE_URL: startSettings.EVENTSTORE_URL.describe('EventStoreDB, where `--to` or `--from` have no addresses'),
  MONGODB_URL: startSettings.MONGODB_URL.describe('MongoDB, where `--to` or `--from` have no addresses'),
  NAMESPACE,
};

export type MoveSettings = z.output<z.ZodObject<typeof moveSettings>>;

/** @throws ConfigError naming the first variable with an invalid value */
export function readMoveSettings(environment: NodeJS.ProcessEnv): MoveSettings {
  return parseConfig(moveSettings, environment);
}

/** @throws ConfigError naming the first variable with an invalid value */
export function readFolderSettings(environment: NodeJS.ProcessEnv): z.output<z.ZodObject<typeof folderSettings>> {
  return parseConfig(folderSettings, environment);
}

/** @throws ConfigError naming the first variable with an invalid value */
export function readAddressSettings(environment: NodeJS.ProcessEnv): z.output<z.ZodObject<typeof addressSettings>> {
  return parseConfig(addressSettings, environment);
}

/** @throws ConfigError naming the first variable with an invalid value */
export function readStartSettings(environment: NodeJS.ProcessEnv): StartSettings {
  return parseConfig(startSettings, environment);
}

/** @throws ConfigError naming the first variable with an invalid value */
export function readBootstrapSettings(environment: NodeJS.ProcessEnv): BootstrapSettings {
  return parseConfig(bootstrapSettings, environment);
}
