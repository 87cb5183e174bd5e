import { AppError } from '@scriptorium/contracts';
import { type Outbound } from '@scriptorium/platform';
import type * as z from 'zod';
import { ProviderFailure } from './provider.js';

/** Where a provider is, and the way to it. The URL is configured by the operator and may be in the same network. */
export interface ProviderPlace {
  readonly outbound: Outbound;
  /** Without a `/` at its end. */
  readonly url: string;
  /** Never part of a message. */
  readonly key?: string;
  readonly now: () => number;
  /** How long one request may take, in ms; 120 s at most and by default. */
  readonly withinMs?: number;
}

/** A request to a provider. */
export interface ProviderRequest<S extends z.ZodType> {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The shape of the answer. */
  readonly answer: S;
  readonly signal: AbortSignal;
}

const longestMs = 120_000;
const mostBytes = 2 * 1024 * 1024;
/** What providers answer when they refuse some texts: too long, filtered, or such that they break off. */
const ofText: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/**
 * Sends one request to a provider and reads its answer.
 * @throws ProviderFailure for every failure of the provider, without any text of its answer
 */
export async function askProvider<S extends z.ZodType>(
  { outbound, url, now, withinMs = longestMs }: ProviderPlace,
  { path, headers, body, answer, signal }: ProviderRequest<S>,
): Promise<z.output<S>> {
  const request = {
    url: `${url}${path}`,
    field: 'TRANSLATION_URL',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    maxBytes: mostBytes,
    withinMs: Math.min(withinMs, longestMs),
    redirects: 0,
    signal,
  } as const;
  const response = await outbound.fetch(request).catch((error: unknown) => {
    throw isOfProvider(error) && !signal.aborted ? new ProviderFailure(error.message) : error;
  });
  const { status, headers: said } = response;
  if (status < 200 || status > 299) {
    const retryAfterMs = status === 429 || status === 503 ? waitOf(said['retry-after'], now()) : undefined;
    throw new ProviderFailure(`The provider answered ${status}`, { retryAfterMs, isOfText: ofText.has(status) });
  }
  return shapeOf(response.body.toString('utf8'), answer);
}

/** Whether the provider, or the address that is set for it, is the reason; not that too much is sent from here. */
const isOfProvider = (error: unknown): error is AppError =>
  error instanceof AppError && (error.reason === 'bad_gateway' || error.reason === 'invalid_request');

/** A text that is JSON of a shape. @throws ProviderFailure */
export function shapeOf<S extends z.ZodType>(text: string, shape: S): z.output<S> {
  const parsed = shape.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new ProviderFailure('The answer of the provider has another form than was asked for', { isOfText: true });
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFailure('The answer of the provider is no JSON', { isOfText: true });
  }
}

/** Seconds, or a date. */
function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : at - now;
}
