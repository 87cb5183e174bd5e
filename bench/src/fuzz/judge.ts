import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { reasonStatus } from '@scriptorium/contracts';
import type { Documented } from './document.js';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** What was asked for. */
export interface Asked {
  path: string;
  headers: Readonly<Record<string, string>>;
}

/** In what an answer differs from what the document says of it. */
export function complaints(operation: Documented, answer: Answer, asked: Asked): string[] {
  const { status, headers, text } = answer;
  const documented = operation.answers[status];
  // Addresses that are made up lead nowhere: then the other side has failed, not the product.
  const isOfOthers = status === reasonStatus.bad_gateway && documented !== undefined;
  if (status >= 500 && !isOfOthers) return [`answers ${status}: ${text.slice(0, 200)}`];
  if (documented === undefined) return [`answers ${status}, which is not documented: ${text.slice(0, 200)}`];
  const found = headerComplaints(operation, answer, asked);
  if (status === 304 && asked.headers['if-none-match'] === undefined)
    found.push('answers 304 to whom did not ask for it');
  if (documented.content === undefined)
    return text === '' ? found : [...found, `answers ${status} with a body: ${text.slice(0, 100)}`];
  const type = String(headers['content-type']).split(';')[0] ?? '';
  if (!(type in documented.content)) return [...found, `answers ${status} as ${type}`];
  return type === 'application/json' ? [...found, ...bodyComplaints(operation, answer)] : found;
}

function bodyComplaints(operation: Documented, { status, headers, text }: Answer): string[] {
  const body = parse(text);
  if (body === undefined) return [`answers ${status} with a body that is no JSON: ${text.slice(0, 100)}`];
  const check = operation.check(status);
  if (check?.(body) === false) {
    const [first] = check.errors ?? [];
    return [
      `answers ${status} with a body that is not as its schema: ${first?.instancePath} ${first?.message} in ${text.slice(0, 300)}`,
    ];
  }
  if (status < 400) return [];
  const { code, reason, requestId } = (body as { error: { code: number; reason: string; requestId: string } }).error;
  const found: string[] = [];
  if (code !== status) found.push(`answers ${status} and says ${code}`);
  if (requestId !== headers['x-request-id']) found.push('names two request ids');
  // A deprecated operation may name its successor before it, and nothing else.
  const links = String(headers['link']).replace(/^<\/v1\/[^>]+>; rel="successor-version", /, '');
  if (links !== `</errors/${reason}>; rel="help"`) found.push(`links to ${String(headers['link'])} for ${reason}`);
  if (!(reason in reasonStatus)) found.push(`has the unknown reason ${reason}`);
  return found;
}

/** What is left out on purpose where it does not apply; everything else that is documented has to be there. */
const optional =
  /^(x-ratelimit-|retry-after$|www-authenticate$|scriptorium-position$|idempotency-replayed$|scriptorium-ignored$|preference-applied$)/;
/** What has been is no state that a change could be held to. */
const looksBack = /[?&]asOf=/;
/** What is not left out with these statuses. */
const always: Readonly<Record<number, string>> = { 401: 'www-authenticate', 429: 'retry-after' };

function headerComplaints({ answers }: Documented, { status, headers, text }: Answer, asked: Asked): string[] {
  return Object.entries(answers[status]?.headers ?? {}).flatMap(([title, { schema }]) => {
    const name = title.toLowerCase();
    const value = headers[name];
    if (name === 'etag' && looksBack.test(asked.path))
      return value === undefined ? [] : ['gives a tag to what cannot be held to it'];
    if (value === undefined && name === 'location' && !hasAddress(text)) return [];
    if (value === undefined && name === 'link' && !hasNext(text)) return [];
    if (value === undefined)
      return !optional.test(name) || always[status] === name ? [`answers ${status} without ${title}`] : [];
    return schema['type'] === 'integer' && !/^\d+$/.test(String(value))
      ? [`answers ${status} with ${title}: ${String(value)}`]
      : [];
  });
}

/** Whether what was created has an address of its own, and says so. */
function hasAddress(text: string): boolean {
  return (parse(text) as { urls?: { location?: string } } | undefined)?.urls?.location !== undefined;
}

/** Whether a list has a further page. One that can be followed always has a cursor. */
function hasNext(text: string): boolean {
  const { next, more = true } = (parse(text) ?? {}) as { next?: object; more?: boolean };
  return next !== undefined && more;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
