import { AppError, isReason, urlOf } from '@scriptorium/contracts';
import { LRUCache } from 'lru-cache';

/** The public API, as any client sees it. */
export interface Api {
  /**
   * What a GET answers. An answer is kept and asked about with its entity tag, so it is never older than the API says;
   * the same answer is the same object. @throws AppError with the reason of the API
   */
  read<T>(
    path: string,
    query: Readonly<Record<string, string | boolean | undefined>>,
    options: ReadOptions,
  ): Promise<T>;
  /** What a POST answers. @throws AppError with the reason of the API */
  post<T>(path: string, body: object, options: PostOptions): Promise<PostAnswer<T>>;
}

interface PostOptions {
  token?: string | undefined;
  signal: AbortSignal;
  /** The address of the visitor, for the rates of a gateway that trusts the reader. */
  visitor?: string;
}

export interface ReadOptions extends PostOptions {
  token: string;
  /** Visitors with the same one are shown the same. */
  context: string;
  /** Milliseconds for which a kept answer is used without asking. */
  freshMs?: number;
}

export interface PostAnswer<T> {
  body: T;
  /** Milliseconds for which the answer may be cached. */
  freshMs: number;
}

interface CachedAnswer {
  etag: string;
  body: unknown;
  size: number;
  readAt: number;
}

/** Bytes of answers that are cached. */
const maxCachedBytes = 64 * 1024 * 1024;
/** Answers are as large as the API makes them; more is not read. */
const largestAnswer = 32 * 1024 * 1024;

export function createApi(endpoint: string, send: typeof fetch = fetch): Api {
  const cache = new LRUCache<string, CachedAnswer>({ maxSize: maxCachedBytes, sizeCalculation: ({ size }) => size });
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      return await send(`${endpoint}${url}`, { ...init, redirect: 'manual' });
    } catch (cause) {
      throw new AppError('unavailable', [], { message: 'The API cannot be reached', cause, retryAfter: 1 });
    }
  };
  return {
    async read<T>(path: string, query: Parameters<Api['read']>[1], options: ReadOptions): Promise<T> {
      const url = urlOf({ path }, { query });
      const key = `${options.context}\n${url}`;
      const known = cache.get(key);
      if (known !== undefined && Date.now() - known.readAt < (options.freshMs ?? 0)) return known.body as T;
      const tag = known === undefined ? {} : { 'if-none-match': known.etag };
      const response = await ask(url, { headers: { ...headersOf(options), ...tag }, signal: options.signal });
      if (response.status === 304 && known !== undefined) {
        cache.set(key, { ...known, readAt: Date.now() });
        return known.body as T;
      }
      const { body, size } = await bodyOf(response);
      const etag = response.headers.get('etag');
      if (etag !== null) cache.set(key, { etag, body, size: size + 200, readAt: Date.now() });
      return body as T;
    },
    async post<T>(path: string, body: object, options: PostOptions): Promise<PostAnswer<T>> {
      const headers = { ...headersOf(options), 'content-type': 'application/json' };
      const response = await ask(urlOf({ path }, {}), {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: options.signal,
      });
      return { body: (await bodyOf(response)).body as T, freshMs: freshMsOf(response.headers.get('cache-control')) };
    },
  };
}

function headersOf({ token, visitor }: PostOptions): Record<string, string> {
  return {
    accept: '*/*',
    ...(visitor === undefined ? {} : { 'x-forwarded-for': visitor }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** How long an answer may be kept, as it says itself. */
export function freshMsOf(cacheControl: string | null): number {
  const [, seconds = '0'] = /(?:^|[\s,])max-age=(\d{1,6})(?:$|[\s,])/.exec(cacheControl ?? '') ?? [];
  return /no-store|no-cache/.test(cacheControl ?? '') ? 0 : Number(seconds) * 1_000;
}

async function bodyOf(response: Response): Promise<{ body: unknown; size: number }> {
  const text = await textOf(response);
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (response.ok) return { body: isJson && text !== '' ? JSON.parse(text) : text, size: text.length * 2 };
  throw failure(response, text);
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = Number(response.headers.get('content-length') ?? 0);
  if (length > largestAnswer) throw new AppError('too_large');
  try {
    length = 0;
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      length += part.byteLength;
      // Leaving the loop ends the connection.
      if (length > largestAnswer) throw new AppError('too_large');
      parts.push(part);
    }
    return new TextDecoder().decode(Buffer.concat(parts));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('unavailable', [], { message: 'The answer of the API broke off', cause, retryAfter: 1 });
  }
}

function failure({ status, headers }: Response, text: string): AppError {
  const { reason, message = '' } = errorIn(text);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new AppError(isReason(reason) ? reason : 'unexpected', [], {
    message: message || `The API answered ${status}`,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  });
}

function errorIn(text: string): { reason?: unknown; message?: string } {
  try {
    return (JSON.parse(text) as { error?: { reason?: unknown; message?: string } }).error ?? {};
  } catch {
    return {};
  }
}
