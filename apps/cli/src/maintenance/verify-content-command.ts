import {
  AppError,
  callOperation,
  getContentVerification,
  startContentVerification,
  type ClientOptions,
  type ContentVerification,
} from '@scriptorium/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandContext } from '../command-line/context.js';
import { whileWorking } from '../command-line/progress.js';
import { addressOf } from '../installation/address.js';
import { StopError } from '../stop-error.js';

const everyMs = 500;

/**
 * `scriptorium verify --content`: has the running installation look whether everything that revisions name is there and
 * whole, and shows what it has found.
 * @throws ConfigError for an invalid setting; StopError when there is no token, when the installation refuses or does
 * not answer, and at the end when content is damaged
 */
export async function verifyContentCommand(context: CommandContext): Promise<void> {
  const { environment, screen, answer } = context;
  const client = await addressOf(environment);
  const { status, failure, result } = await whileWorking(screen, 'looking at content', () => finished(client));
  if (result === undefined) throw new StopError(`the verification is ${status}: ${failure?.message ?? 'no result'}`);
  const { revisions, objects, files, unreachable, missing, corrupt, missingFiles, named } = result;
  const looked = `${revisions} revisions, ${objects} objects and ${files} files were looked at`;
  const damaged = result.sound ? '' : named.map((name) => `damaged: ${name}\n`).join('');
  answer(result, `${looked}; ${unreachable} are not in use\n${damaged}`);
  if (result.sound) return;
  throw new StopError(
    `content is damaged: ${missing} objects are missing, ${corrupt} are corrupt, ${missingFiles} files are missing`,
  );
}

async function finished(client: ClientOptions): Promise<ContentVerification> {
  let verification: ContentVerification = await asked(() => callOperation(client, startContentVerification, {}));
  const params = { verificationId: verification.id };
  while (verification.endedAt === undefined) {
    await wait(everyMs);
    verification = await asked(() => callOperation(client, getContentVerification, { params }));
  }
  return verification;
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new StopError(error instanceof AppError ? error.message : 'the installation does not answer', error);
  }
}
