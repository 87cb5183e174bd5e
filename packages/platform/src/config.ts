import { limits, requestBounds, type LimitName, type Limits } from '@scriptorium/contracts';
import * as z from 'zod';

/** A setting that stops the start; `message` is one line that names the variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Exit code of a process that a wrong setting ended (EX_CONFIG of sysexits.h): starting it again changes nothing. */
export const badSettings = 78;

/** Exit code of a process whose code and data do not fit each other (EX_SOFTWARE): other code is needed, or other data. */
export const unfit = 70;

const port = z.coerce.number().int().min(0).max(65_535);

/** Settings of every process. The description of each becomes its line in docs/configuration.md. */
export const processSettings = {
  NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .default('scriptorium')
    .describe('Prefix of streams, subjects and the database name'),
  NATS_URL: z.url().describe('NATS server, `nats://host:port`'),
  ADMIN_HOST: z.string().default('127.0.0.1').describe('Address of metrics and readiness details'),
  ADMIN_PORT: port.default(0).describe('Port of metrics and readiness details; 0 takes a free one'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Least level that is logged'),
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
    .describe('Keyring, `id:base64` separated by commas: the first signs, the others verify; `reservation:base64` is required and never rotated'),
} as const;

/** `most` is far above what an installation needs: it keeps a slip of the hand from switching a limit off. */
const limit = (name: LimitName, of: string, most = 1_000_000) =>
  z.coerce.number().int().min(1).max(most).default(limits[name]).describe(`Limit \`${name}\`: ${of}; beyond it 409 \`limit_reached\``);

/** One setting for each limit of the contract (ruling 7). */
export const limitSettings = {
  MAX_MEMBERS_PER_ORGANIZATION: limit('membersPerOrganization', 'members of an organization'),
  MAX_TEAMS_PER_ORGANIZATION: limit('teamsPerOrganization', 'teams of an organization'),
  MAX_MEMBERS_PER_TEAM: limit('membersPerTeam', 'members of a team'),
  MAX_TOKENS_PER_USER: limit('tokensPerUser', 'personal tokens of a user', 10_000),
  MAX_PENDING_INVITES_PER_ORGANIZATION: limit('pendingInvitesPerOrganization', 'pending invitations of an organization'),
  MAX_ORGANIZATIONS_PER_USER: limit('organizationsPerUser', 'organizations that a user is a member of', 10_000),
  MAX_EMAIL_DOMAINS_PER_ORGANIZATION: limit('emailDomainsPerOrganization', 'e-mail domains of an organization', requestBounds.batch),
  MAX_LINK_INVITES_PER_ORGANIZATION: limit('linkInvitesPerOrganization', 'links by which people can join an organization', 10_000),
  MAX_SAML_PROVIDERS_PER_ORGANIZATION: limit('samlProvidersPerOrganization', 'SAML providers of an organization', 100),
} as const;

/** The limits of an installation by the names that the contract gives them. */
export function limitsOf(settings: z.output<z.ZodObject<typeof limitSettings>>): Limits {
  return {
    membersPerOrganization: settings.MAX_MEMBERS_PER_ORGANIZATION,
    teamsPerOrganization: settings.MAX_TEAMS_PER_ORGANIZATION,
    membersPerTeam: settings.MAX_MEMBERS_PER_TEAM,
    tokensPerUser: settings.MAX_TOKENS_PER_USER,
    pendingInvitesPerOrganization: settings.MAX_PENDING_INVITES_PER_ORGANIZATION,
    organizationsPerUser: settings.MAX_ORGANIZATIONS_PER_USER,
    emailDomainsPerOrganization: settings.MAX_EMAIL_DOMAINS_PER_ORGANIZATION,
    linkInvitesPerOrganization: settings.MAX_LINK_INVITES_PER_ORGANIZATION,
    samlProvidersPerOrganization: settings.MAX_SAML_PROVIDERS_PER_ORGANIZATION,
  };
}

/** How mail leaves the installation. */
export const mailSettings = {
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional()
    .describe('Mail server, `smtp://user:password@host:port`, `smtps://` for TLS from the start; unset: mail is written to `DATA_DIR/outbox`'),
  MAIL_FROM: z.string().min(3).max(320).default('Scriptorium <no-reply@localhost>').describe('Sender of mail'),
  DATA_DIR: z.string().min(1).default('./.data').describe('Folder whose `outbox` holds the mail that is not sent'),
} as const;

/** What identity providers have to do. */
export const samlSettings = {
  SAML_SIGNED: z
    .enum(['both', 'assertion', 'response'])
    .default('both')
    .describe('What of a SAML answer has to be signed: response and assertion, or one of them; `response` takes an assertion that only the response is signed around'),
} as const;

/** Settings of every service that keeps events. */
export const serviceSettings = {
  ...processSettings,
  ...limitSettings,
  EVENTSTORE_URL: z.string().regex(/^(esdb|kurrentdb)(\+discover)?:\/\//).describe('EventStoreDB, `esdb://host:port?tls=false`'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).describe('Base of every `urls.location` in answers'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional().describe('Base of every `urls.app` in answers; `PUBLIC_URL` unless set'),
  MONGODB_URL: z.string().regex(/^mongodb(\+srv)?:\/\//).describe('MongoDB, `mongodb://host:port`'),
  ...mailSettings,
  ...samlSettings,
} as const;

/**
 * Reads a process's settings from its environment; an empty variable counts as unset.
 * @throws ConfigError naming the first variable with a bad value and what is wrong with it.
 */
export function parseConfig<S extends z.ZodRawShape>(
  settings: S,
  environment: Record<string, string | undefined>,
): z.output<z.ZodObject<S>> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = z.object(settings).safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? 'environment');
  const missing = present[name] === undefined;
  throw new ConfigError(missing ? `${name} is not set` : `${name}: ${issue?.message ?? 'is not valid'}`);
}
