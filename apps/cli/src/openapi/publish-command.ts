import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { specBounds, type OpenAPISpec, type SpecSource } from '@scriptorium/contracts';
import { whileWorking } from '../command-line/progress.js';
import { exitCodes } from '../exit-codes.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';
import { placeOf, type CommandInput, type OrganizationPlace } from './place.js';
import { problemLines } from './problems.js';

/** The options of the command. */
export interface PublishOptions {
  organization?: string;
  visibility?: string;
  wait: boolean;
}

export interface PublishInput extends CommandInput {
  slug: string;
  source: string;
  visibility?: string;
  wait: boolean;
}

const lookEveryMs = 1_000;
const waitAtMostMs = 600_000;
const uploadMs = 600_000;
/** Larger texts are uploaded beside the request. */
const largestText = 8 * 1024 * 1024;

/**
 * `scriptorium openapi publish`: gives a specification its source. With `wait` it tells what was found.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, when it refuses, and when the
 * specification cannot be read
 */
export async function publishCommand(input: PublishInput): Promise<void> {
  const { slug, source: from, wait, write, answer } = input;
  const visibility = visibilityOf(input.visibility);
  const place = await placeOf(input);
  const params = { organizationId: place.organizationId, specSlug: slug };
  const source = await sourceOf(place, from);
  const waiting = wait ? { waitSeconds: specBounds.waitSeconds } : {};
  let spec = await place.client
    .createOrUpdateOpenAPISpecBySlug({ params, body: { source }, idempotencyKey: randomUUID(), ...waiting })
    .catch(explain);
  if (visibility !== undefined)
    spec = await place.client.updateOpenAPISpecBySlug({ params, body: { visibility } }).catch(explain);
  if (wait) spec = await whileWorking(input.screen, 'waiting until it is processed', () => processed(place, spec));
  if (wait) write(problemLines(from, spec.lastProcessedErrors ?? [], spec.problems ?? 0));
  if (wait && spec.lastProcessErrorCode !== undefined) throw failureOf(slug, spec.lastProcessErrorCode);
  const { app, published } = spec.urls;
  const site = published === undefined ? '' : `Everybody can read it at ${published}\n`;
  answer(spec, `Published ${slug}: ${app}\n${site}`);
}

/** What the command ends with. A quota says nothing about the specification: the installation refuses it. */
export function failureOf(slug: string, code: NonNullable<OpenAPISpec['lastProcessErrorCode']>): StopError {
  if (code === 'QUOTA_REACHED')
    return new StopError(`${slug} has no new version: a quota of the organization is reached (${code})`);
  return new StopError(`${slug} could not be read (${code})`, undefined, exitCodes.problems);
}

function visibilityOf(text: string | undefined): OpenAPISpec['visibility'] | undefined {
  if (text === undefined || text === 'private' || text === 'public') return text;
  throw new StopError('--visibility must be private or public');
}

async function sourceOf(place: OrganizationPlace, from: string): Promise<SpecSource> {
  if (/^https?:\/\//i.test(from)) return { url: from };
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile() !== true) throw new StopError(`there is no file ${from}`);
  if (found.size > specBounds.textBytes) throw new StopError(`${from} is larger than 20 MiB`);
  const bytes = await readFile(from);
  if (bytes.length === 0) throw new StopError(`${from} is empty`);
  return bytes.length > largestText ? { upload: await upload(place, from, bytes) } : { text: bytes.toString('utf8') };
}

async function upload({ client, organizationId }: OrganizationPlace, path: string, bytes: Buffer): Promise<string> {
  const file = { name: basename(path), type: 'application/octet-stream', size: bytes.length };
  const { url, key } = await client
    .uploadStorage({
      params: { organizationId },
      body: { file, kind: 'organization_file' },
      idempotencyKey: randomUUID(),
    })
    .catch(explain);
  const signal = AbortSignal.timeout(uploadMs);
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), signal }).catch(explain);
  if (!answer.ok) throw new StopError(`the upload was answered with ${answer.status}`);
  return key;
}

/** The specification once nothing of it waits to be read. */
async function processed({ client, organizationId }: OrganizationPlace, given: OpenAPISpec): Promise<OpenAPISpec> {
  const end = Date.now() + waitAtMostMs;
  let spec = given;
  while (spec.processingState !== 'complete' || spec.lastProcessedErrors === undefined) {
    if (Date.now() > end) throw new StopError(`${spec.slug} is still being read`);
    if (spec.processingState !== 'complete') await pause(lookEveryMs);
    spec = await client.getOpenAPISpecBySlug({ params: { organizationId, specSlug: spec.slug } }).catch(explain);
  }
  return spec;
}
