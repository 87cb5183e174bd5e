import { AppError, type ErrorDetail, isReason, type Reason } from '@scriptorium/contracts';
import { parseJson } from './wire.js';

const MAX_DETAILS = 100;
const MAX_TEXT = 1000;

/** The body of an error message. Its reason is sent in a header. */
export function encodeError(error: AppError): Uint8Array {
  const details = error.details.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path.slice(0, MAX_TEXT),
    message: message.slice(0, MAX_TEXT),
  }));
  const { retryAfter } = error;
  const replayed = error.replayed ? true : undefined;
  return Buffer.from(
    JSON.stringify({ message: error.message.slice(0, MAX_TEXT), details, retryAfter, replayed }),
    'utf8',
  );
}

/**
 * The error that the other side threw. A reason that this version does not know, or a malformed body, becomes
 * `unexpected`: nothing that another process sends is trusted to be well-formed.
 */
export function decodeError(reason: string, body: Uint8Array): AppError {
  const known: Reason = isReason(reason) ? reason : 'unexpected';
  const fields = parseObject(body);
  if (fields === undefined || known !== reason) return new AppError(known);
  const { message, retryAfter, replayed } = fields;
  return new AppError(known, detailsOf(fields.details), {
    ...(typeof message === 'string' ? { message: message.slice(0, MAX_TEXT) } : {}),
    ...(typeof retryAfter === 'number' && Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(replayed === true ? { replayed } : {}),
  });
}

function parseObject(body: Uint8Array): Record<string, unknown> | undefined {
  const value = parseJson(body);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function detailsOf(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  const details: ErrorDetail[] = [];
  for (const item of value.slice(0, MAX_DETAILS) as unknown[]) {
    if (typeof item !== 'object' || item === null || !('path' in item) || !('message' in item)) continue;
    const { path, message } = item;
    if (typeof path === 'string' && typeof message === 'string') details.push({ path, message });
  }
  return details;
}

/** The error for a caller while the other side cannot be reached. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', [], { message, cause, retryAfter: 1 });
}

/** The error for a body beyond the limit. */
export function tooLarge(bytes: number, limit: number): AppError {
  return new AppError('too_large', [], { message: `${bytes} bytes are more than the limit of ${limit}` });
}
