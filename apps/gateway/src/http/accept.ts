import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError, blaming, invalid, type Operation, type Reason } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commonHeaders } from './answer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds until a stream began; null for what is answered at once. */
    streamedAfterMs: number | null;
    /** Why the request was refused; null while it is not. */
    refusedFor: Reason | null;
  }
  interface FastifyContextConfig {
    /** The operation of a route; undefined for documents, pages and health. */
    operation?: Operation;
    /** A health check of operators: answered under every host name, and not counted against a rate. */
    probe?: boolean;
    /** Answered under every host name: whose it is, the handler finds out. */
    anyHost?: boolean;
  }
}

/** A step that a request passes before its handler; an error refuses the request. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** The refusal of a request; undefined if it is accepted. */
type Refused = AppError | undefined;

export interface GuardDeps {
  /** Where clients reach this host. */
  publicUrl: string;
  allowedHosts: readonly string[];
  count: Hook;
}

/**
 * Checks every request before its route: counts it, and refuses it if it was sent to another host, or if a proxy in
 * front may have read its end differently. Node's parser refuses most of the latter already.
 */
export function guard(fastify: FastifyInstance, { publicUrl, allowedHosts, count }: GuardDeps): void {
  const setCommonHeaders = commonHeaders(publicUrl);
  const refuseHost = createRefuseHost(publicUrl, allowedHosts);
  fastify.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(reply);
    const { config, bodyLimit } = request.routeOptions;
    const isAnyHost = config.probe === true || config.anyHost === true;
    const refused = refuseFraming(request.raw) ?? (isAnyHost ? undefined : refuseHost(request.raw));
    // If the end of a message is ambiguous, the bytes behind it must not be read as the next request. A body beyond its
    // limit would be read to its end, however long it is.
    if (refused !== undefined || exceedsLimit(bodyLimit, request)) reply.header('connection', 'close');
    if (config.probe === true) return done(refused);
    count(request, reply, (early) => done(early ?? refused));
  });
}

function exceedsLimit(bodyLimit: number, { method, raw: { headers } }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && Number(headers['content-length'] ?? 0) > bodyLimit;
}

/**
 * HTTP/1.0 has no chunks, HTTP/0.9 has no headers (RFC 9112, 6.1). Of several transfer codings Node decodes only the
 * chunks: the rest would be taken for the body, and a proxy in front may have found another end.
 */
function refuseFraming({ httpVersionMajor: major, httpVersionMinor: minor, headers }: IncomingMessage): Refused {
  const coding = headers['transfer-encoding'];
  if (major === 1 && (coding === undefined || (minor > 0 && coding.toLowerCase() === 'chunked'))) return undefined;
  const message = 'The end of the request is ambiguous';
  return coding === undefined
    ? new AppError('invalid_request', [], { message })
    : blaming('invalid_request', 'headers.transfer-encoding', message);
}

const form = /^(\[[\da-f:.]+\]|[\w.-]+?)\.?(?::\d{1,5})?$/i;
const hostsKept = 1_000;

/**
 * Accepts requests for the host of the public address, for the names in `allowed` (`.example.com` stands for its
 * subdomains, `*` for all names), for `localhost` and its subdomains, and for IP addresses. The owner of any other name
 * can let it resolve to this server, so that their pages could read its answers in browsers of this network (DNS
 * rebinding).
 */
function createRefuseHost(publicUrl: string, allowed: readonly string[]): (request: IncomingMessage) => Refused {
  const names = new Set(
    ['localhost', new URL(publicUrl).hostname, ...allowed.filter((name) => !name.startsWith('.'))].map(lower),
  );
  const suffixes = ['.localhost', ...allowed.filter((name) => name.startsWith('.'))].map(lower);
  const known = new Set<string>();
  /** `field`: the part of the request that has the name. */
  const refuse = (authority: string, field: string): Refused => {
    if (known.has(authority)) return undefined;
    const [, name] = form.exec(authority) ?? [];
    if (name === undefined) return invalid(field, 'Must be one host name, with or without a port');
    if (
      !names.has('*') &&
      !isAddress(name) &&
      !names.has(lower(name)) &&
      !suffixes.some((suffix) => lower(name).endsWith(suffix))
    ) {
      return blaming('misdirected', field, 'This host name is not allowed; the operator can add it to ALLOWED_HOSTS');
    }
    if (known.size < hostsKept) known.add(authority);
    return undefined;
  };
  return ({ headers: { host }, url = '/', httpVersionMajor, httpVersionMinor }) => {
    if (host === undefined)
      return httpVersionMajor === 1 && httpVersionMinor === 0
        ? undefined
        : invalid('headers.host', 'A Host header is required');
    // A request target in absolute form has a host of its own.
    const [, authority] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
    return refuse(host, 'headers.host') ?? (authority === undefined ? undefined : refuse(authority, 'url'));
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** Whether the name in a `Host` header is an IP address. */
export function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

const maxLength = 2048;

/**
 * Refuses a request target of more than 2,048 characters, with a NUL character, or with percent signs that are not
 * UTF-8.
 */
export function refuseTarget(url: string): Refused {
  if (url.length > maxLength) return refusal(`The URL is longer than ${maxLength} characters`);
  if (!url.includes('%')) return undefined;
  if (url.includes('%00')) return refusal('The URL contains a NUL character');
  try {
    decodeURIComponent(url);
    return undefined;
  } catch {
    return refusal('The URL is not correctly percent-encoded');
  }
}

/** Refuses an empty path parameter: `/v1/orgs/` is not a path. */
export function refuseEmpty(params: Readonly<Record<string, string>>): Refused {
  return Object.values(params).includes('')
    ? new AppError('not_found', [], { message: 'There is no such path' })
    : undefined;
}

function refusal(message: string): AppError {
  return blaming('invalid_request', 'url', message);
}

/** The path of a request target, without origin and query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/';
}

const withPort = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;

/**
 * The IP address of a client: the one that the trusted proxies put into `X-Forwarded-For`, or that of the connection.
 * Some proxies add a port, which is removed. Anything else than an address is ignored.
 */
export function clientAddress(request: FastifyRequest): string {
  const { ip, socket } = request;
  if (isIP(ip) !== 0) return ip;
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === 0 ? (socket.remoteAddress ?? '') : address;
}

const idForm = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's `X-Request-Id` if it has the form of an id, otherwise a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && idForm.test(given) ? given : randomUUID();
}
