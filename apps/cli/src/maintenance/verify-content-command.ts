import {
  AppError,
  callOperation,
  getContentVerification,
  startContentVerification,
  type ClientOptions,
  type ContentVerification,
} from '@scriptorium/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf } from '../installation/address.js';
import { StopError } from '../stop-error.js';

export interface VerifyContentInput {
  environment: NodeJS.ProcessEnv;
  write: (text: string) => void;
}

const everyMs = 500;

/**
 * `scriptorium verify --content`: has the running installation look whether everything that revisions name is there and
 * whole, and shows what it has found.
 * @throws ConfigError for an invalid setting; StopError when there is no token, when the installation refuses or does
 * not answer, and at the end when content is damaged
 */
export async function verifyContentCommand({ environment, write }: VerifyContentInput): Promise<void> {
  const client = await addressOf(environment);
  const { status, failure, result } = await finished(client);
  if (result === undefined) throw new StopError(`the verification is ${status}: ${failure?.message ?? 'no result'}`);
  const { revisions, objects, files, unreachable, missing, corrupt, missingFiles, named } = result;
  write(
    `${revisions} revisions, ${objects} objects and ${files} files were looked at; ${unreachable} are not in use\n`,
  );
  if (result.sound) return;
  for (const name of named) write(`damaged: ${name}\n`);
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
