import { AppError } from '@scriptorium/contracts';
import { UnusableAnswer } from '@scriptorium/clustering';
import type { Outbound } from '@scriptorium/platform';
import type * as z from 'zod';

/** Where a model is, and the way to it. The URL is the operator's and may be in the same network. */
export interface ModelPlace {
  outbound: Outbound;
  /** Without a `/` at its end. */
  url: string;
  model: string;
  /** Never part of a message. */
  key?: string | undefined;
  /** How long one request may take, ms. */
  withinMs: number;
}

/** Longer waits than this, ms, are not taken from a server. */
const longestWaitMs = 3_600_000;

/** Why a model gave nothing that can be used. The message has nothing of what was sent or answered. */
export class ModelFailure extends Error {
  /**
   * `refused`: the server takes others, and not what it was sent; `answer`: what was said cannot be used. `waitMs`: how
   * long to wait before another try, as the server says, at most an hour.
   */
  constructor(
    message: string,
    readonly kind: 'server' | 'refused' | 'answer' = 'server',
    readonly waitMs = 0,
  ) {
    super(message);
  }
}

interface ModelRequest<S extends z.ZodType> {
  path: string;
  body: object;
  /** The shape of the answer. */
  answer: S;
  signal: AbortSignal;
}

/** The largest answer that is read: vectors of one batch are some MiB. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Sends one request to a model and reads its answer.
 * @throws ModelFailure for every failure of the other side; what the signal ends, and what fails here, is thrown as it
 * is
 */
export async function askModel<S extends z.ZodType>(
  { outbound, url, model, key, withinMs }: ModelPlace,
  { path, body, answer, signal }: ModelRequest<S>,
): Promise<z.output<S>> {
  const request = {
    url: `${url}${path}`,
    field: 'url',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, ...body }),
    maxBytes: mostBytes,
    withinMs,
    redirects: 0,
    signal,
  } as const;
  const {
    status,
    headers,
    body: said,
  } = await outbound.fetch(request).catch((error: unknown) => {
    throw isOfModel(error) && !signal.aborted ? new ModelFailure(error.message) : error;
  });
  if (status < 200 || status > 299)
    throw new ModelFailure(
      `The model's server answered ${status}`,
      refusals.has(status) ? 'refused' : 'server',
      waitOf(headers['retry-after']),
    );
  return shapeOf(said.toString('utf8'), answer);
}

/** Whether the model's server, or the address set for it, is the reason; not that too much is sent from here. */
const isOfModel = (error: unknown): error is AppError =>
  error instanceof AppError && (error.reason === 'bad_gateway' || error.reason === 'invalid_request');

/** How a server says that it does not take a text: it is too long, or has words that it does not want. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** Seconds; a date is not read. */
function waitOf(header = ''): number {
  return /^\d{1,9}$/.test(header.trim()) ? Math.min(Number(header) * 1_000, longestWaitMs) : 0;
}

/** A text that is JSON of a shape. @throws ModelFailure */
export function shapeOf<S extends z.ZodType>(text: string, shape: S): z.output<S> {
  const parsed = shape.safeParse(jsonOf(text));
  if (!parsed.success) throw new ModelFailure('The answer of the model has another form than was asked for', 'answer');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelFailure('The answer of the model is no JSON', 'answer');
  }
}

/** What is read of an answer. @throws ModelFailure when it cannot be used */
export function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnusableAnswer ? new ModelFailure(error.message, 'answer') : error;
  }
}
