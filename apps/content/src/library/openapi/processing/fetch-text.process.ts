import { AppError, specBounds } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';

/** Why a document could not be had. */
export class FetchFailure extends Error {
  constructor(
    message: string,
    readonly code: 'FETCH_TIMEOUT' | 'FETCH_ERROR',
  ) {
    super(message);
  }
}

/** By what the other side can tell whether its answer is still the same. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export interface FetchOptions {
  /** Milliseconds since 1970. */
  deadline: number;
  signal: AbortSignal;
  maxBytes?: number;
  /** Of an answer that is known. */
  known?: Validators;
}

export interface FetchedText {
  bytes: Buffer;
  validators: Validators;
}

/** The text of a URL; `null` when it is the known one. @throws FetchFailure */
export async function fetchText(
  { outbound, now }: Pick<Scope, 'outbound' | 'now'>,
  url: string,
  { deadline, maxBytes = specBounds.textBytes, signal, known }: FetchOptions,
): Promise<FetchedText | null> {
  const withinMs = Math.max(1, deadline - now());
  const request = { url, field: 'body.source.url', maxBytes, withinMs, signal, headers: conditionsOf(known) };
  try {
    const { status, headers, body } = await outbound.fetch(request);
    if (status === 304 && known !== undefined) return null;
    if (status < 200 || status > 299) throw new FetchFailure(`The other side answered ${status}`, 'FETCH_ERROR');
    return { bytes: body, validators: validatorsOf(headers) };
  } catch (error) {
    throw asFailure(error, now() >= deadline);
  }
}

function conditionsOf({ etag, lastModified }: Validators = {}): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** Longer ones, and what cannot stand in a header, are not sent back. */
const headerForm = /^[\x20-\x7e]{1,512}$/;

function validatorsOf({ etag, 'last-modified': lastModified }: Readonly<Record<string, string>>): Validators {
  return {
    ...(etag !== undefined && headerForm.test(etag) && { etag }),
    ...(lastModified !== undefined && headerForm.test(lastModified) && { lastModified }),
  };
}

function asFailure(error: unknown, isLate: boolean): unknown {
  if (!(error instanceof AppError) || error.reason === 'unavailable') return error;
  if (isLate) return new FetchFailure('The other side took longer than 30 seconds', 'FETCH_TIMEOUT');
  if (error.reason !== 'bad_gateway' && error.reason !== 'invalid_request') return error;
  const message = error.message.replace(/^body\.source\.url: /, '');
  return new FetchFailure(message.replace(`${specBounds.textBytes} bytes`, '20 MiB'), 'FETCH_ERROR');
}
