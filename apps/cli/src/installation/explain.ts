import { AppError, type ErrorDetail } from '@scriptorium/contracts';
import { StopError } from '../stop-error.js';

/** Throws what the installation has refused as one line for people; what is a defect is thrown as it is. */
export function explain(error: unknown): never {
  if (error instanceof AppError) {
    const details = error.details.map((detail) => detailOf(detail, error.message)).join('');
    throw new StopError(`the installation refused: ${error.message}${details}`);
  }
  // What fetch throws when a connection fails says why in its cause alone.
  if (error instanceof TypeError && error.cause instanceof Error)
    throw new StopError(`the installation does not answer: ${causeOf(error.cause)}`);
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new StopError('the installation does not answer in time');
  throw error;
}

/** What a detail tells besides the message of its refusal, which is mostly that of its first detail. */
function detailOf({ path, message }: ErrorDetail, told: string): string {
  if (!told.includes(message)) return ` (${path}: ${message})`;
  return told.includes(path) ? '' : ` (${path})`;
}

/** Why a connection failed, of several addresses that of the first one. */
function causeOf(cause: Error & { code?: unknown }): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : undefined;
  if (first instanceof Error) return causeOf(first);
  const code = typeof cause.code === 'string' ? cause.code : '';
  // The messages of OpenSSL are places in its sources.
  const isCode = code.startsWith('ERR_SSL') || cause.message === '';
  return isCode ? code : cause.message.includes(code) ? cause.message : `${cause.message} (${code})`;
}
