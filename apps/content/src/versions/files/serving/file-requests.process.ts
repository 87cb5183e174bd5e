import { AppError, statusOf } from '@scriptorium/contracts';
import { asAppError } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { download } from './download.process.js';
import type { FileStore } from '../store/file-store.operational.js';
import type { FileAnswer } from '../store/give-file.process.js';
import { receiveUpload, requireUpload } from '../uploads/receive-upload.process.js';

/** Answers one request of a gateway. `proceed`: tells the gateway to send the bytes. */
export type FileHandler = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  proceed: () => void;
}

/** A GET or HEAD of something that another domain serves. */
export interface FileRequest {
  method: string;
  /** The parts of the path behind the first one. */
  parts: readonly string[];
  /** Seconds since 1970; 0 when it is not given. */
  expires: number;
  signature: string;
  requestId: string;
  headers: IncomingHttpHeaders;
}

/** What other domains serve, by the first part of the path. */
export type FileRoutes = ReadonlyMap<string, (request: FileRequest) => Promise<FileAnswer>>;

/**
 * Answers `PUT /uploads/{id}`, `GET /files/{alias}/{hash}/{name}`, and what other domains serve. A refusal is JSON,
 * which the gateway shows in its own form.
 */
export function createFileHandler(context: ServiceContext, files: FileStore, routes: FileRoutes): FileHandler {
  return (request, response, proceed) => {
    void answer(context, { files, routes }, { request, response, proceed }).catch((error: unknown) =>
      refuse(context, { request, response, proceed }, refusalOf(error)),
    );
  };
}

async function answer(
  context: ServiceContext,
  { files, routes }: { files: FileStore; routes: FileRoutes },
  exchange: Exchange,
): Promise<void> {
  const { request } = exchange;
  const { parts, query } = targetOf(request.url ?? '/');
  if (parts[0] === 'uploads' && parts.length === 2) {
    if (request.method !== 'PUT') throw new AppError('method_not_allowed');
    return receive(context, files, exchange, { ...query, id: parts[1] ?? '' });
  }
  const route = routes.get(parts[0] ?? '');
  if (route === undefined && (parts[0] !== 'files' || parts.length !== 4)) throw new AppError('not_found');
  requireRead(request);
  if (route !== undefined) return send(exchange, await route(requestOf(request, parts.slice(1), query)));
  const [, alias = '', hash = '', name = ''] = parts;
  return give(context, files, exchange, { ...query, alias, hash, name });
}

function requireRead({ method }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD') throw new AppError('method_not_allowed');
}

function requestOf({ method = 'GET', headers }: IncomingMessage, parts: readonly string[], query: Query): FileRequest {
  const { expires, signature } = query;
  return { method, parts, expires, signature, requestId: String(headers['x-request-id'] ?? ''), headers };
}

interface Query {
  type: string;
  expires: number;
  signature: string;
}

function targetOf(url: string): { parts: string[]; query: Query } {
  const [path = '', search = ''] = url.split('?', 2);
  const given = new URLSearchParams(search);
  const expires = Number(given.get('expires') ?? '0');
  return {
    parts: path.split('/').slice(1).map(decoded),
    query: { type: given.get('type') ?? '', expires, signature: given.get('signature') ?? '' },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AppError('not_found');
  }
}

async function receive(
  context: ServiceContext,
  files: FileStore,
  { request, response, proceed }: Exchange,
  address: Query & { id: string },
): Promise<void> {
  const upload = await requireUpload(context, address, request.headers);
  proceed();
  const hash = await receiveUpload(context, files, upload, request);
  response.writeHead(204, { etag: `"${hash}"` }).end();
}

async function give(
  context: ServiceContext,
  files: FileStore,
  exchange: Exchange,
  address: Query & { alias: string; hash: string; name: string },
): Promise<void> {
  const { method = 'GET', headers } = exchange.request;
  await send(exchange, await download(context, files, address, { method, headers }));
}

async function send({ response }: Exchange, { status, headers, body }: FileAnswer): Promise<void> {
  response.writeHead(status, headers);
  if (body === undefined) response.end();
  else await pipeline(body, response);
}

function refusalOf(error: unknown): AppError {
  const known = asAppError(error);
  return known instanceof AppError ? known : new AppError('unexpected', [], { cause: error });
}

function refuse(context: ServiceContext, { request, response }: Exchange, error: AppError): void {
  const isOver = request.destroyed && !request.complete;
  if (error.reason === 'unexpected' || error.reason === 'unavailable') {
    const requestId = request.headers['x-request-id'];
    // Who goes away in the middle is no failure.
    if (!isOver && !response.destroyed)
      context.logger.error({ err: error.cause ?? error, requestId }, 'a transfer failed');
  }
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { reason, message, details, retryAfter } = error;
  const body = JSON.stringify({ reason, message, details, retryAfter });
  const length = Buffer.byteLength(body);
  const headers = { 'content-type': 'application/json', 'content-length': length, connection: 'close' };
  response.writeHead(statusOf(undefined, reason), headers).end(body);
}
