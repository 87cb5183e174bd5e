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

/** Why a model gave nothing that can be used. The message has nothing of what was sent or answered. */
export class ModelFailure extends Error {
  /** `answer`: the model is there, and what it said cannot be used. */
  constructor(
    message: string,
    readonly kind: 'server' | 'answer' = 'server',
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
 * @throws ModelFailure for every failure of the other side; what the signal ends is thrown as it is
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
  const { status, body: said } = await outbound.fetch(request).catch((error: unknown) => {
    throw error instanceof AppError && !signal.aborted ? new ModelFailure(error.message) : error;
  });
  if (status < 200 || status > 299) throw new ModelFailure(`The model's server answered ${status}`);
  return shapeOf(said.toString('utf8'), answer);
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
