import type * as z from 'zod';
import type { Access } from './access.js';
import type { Reason } from './errors.js';

/** The service that answers an operation. Operations of `gateway` are answered by the gateway itself. */
export type Service =
  'gateway' | 'identity' | 'content' | 'sites' | 'collaboration' | 'integrations' | 'translations' | 'conversations';

/**
 * Media types of texts: plain text, markdown, XML and the like. HTML is not among them: answers are data, never a page.
 */
export type TextType = `text/${string}` | 'application/xml' | `application/${string}+xml` | 'application/yaml';

/** The properties of an operation besides its schemas. */
export interface Traits {
  id: string;
  service: Service;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/v1`, parameters in braces: `/orgs/{organizationId}`. */
  path: string;
  /** Further paths with the same parameters. Clients use `path`. */
  aliases: readonly string[];
  /**
   * The path parameter that takes the rest of the path, with its slashes. It has to be the last part of `path` and of
   * each alias. Clients may send its slashes as they are or as `%2F`.
   */
  rest: string | undefined;
  summary: string;
  tag: string;
  access: Access;
  /** Whether requests change something. A GET reads, other methods write; a POST can be declared to read. */
  kind: 'read' | 'write';
  /**
   * Status of success. A DELETE answers 205 if it deleted something and 204 if there was nothing; 202 says that
   * something was begun; 302 redirects a browser.
   */
  status: 200 | 201 | 202 | 204 | 205 | 302;
  /** Whether it answers 201 with `Location` instead when the request has created something. */
  mayCreate: boolean;
  /** The most seconds for which `Prefer: wait` has the answer wait for work in the background; 0: it never waits. */
  waitsSeconds: number;
  /** Media type of the request's body. */
  consumes: 'application/json' | 'application/x-www-form-urlencoded';
  /** Media type of the answer. The response of a text is a string. */
  produces: 'application/json' | TextType;
  /** Whether browsers are sent to this operation: they are recognised by a cookie, and errors are shown as a page. */
  browser: boolean;
  /** Reasons of errors besides those that follow from the other properties. */
  reasons: readonly Reason[];
  /** Statuses of reasons that this operation answers with another status than all others. */
  statuses: Readonly<Partial<Record<Reason, number>>>;
  /** Whether a request without a body is accepted. */
  bodyOptional: boolean;
  /** Milliseconds from the start of the request at the gateway to the answer. */
  deadlineMs: number;
  /** The same for requests with a body beyond `largeBodyBytes`, which take longer to be carried out. */
  largeBodyDeadlineMs: number;
  /** Largest request body, in bytes. */
  bodyLimit: number;
  /** Response fields that are answered once and never stored. */
  secret: readonly string[];
  /** Set if the resource can be shown as it was (`?asOf`): the stream whose state it is. */
  history: History | undefined;
  /** Set if the list can be followed as a stream. */
  stream: StreamTrait | undefined;
  /** The path whose GET answers the entity tag that `If-Match` names; that of the operation itself unless given. */
  tagOf: string | undefined;
  /** Whether `?dryRun=true` is possible: the operation does nothing else than record events. */
  dryRun: boolean;
  /** The rate limit that its requests count against. */
  rate: RateClass;
  /** Seconds for which whoever has asked may use the answer again; 0: not at all. */
  maxAgeSeconds: number;
  /** Set if a script of somebody runs for it: a read is not sent a second time either when its answer is late. */
  runsScript?: true | undefined;
  /** How one request does the work of many, if there is such a form: a sentence for those who send too many. */
  batch?: string | undefined;
  /** Set if the operation will be removed. */
  deprecated: Deprecation | undefined;
}

/** The stream whose state a resource is: the entity in its name, and the path parameter with its id. */
export interface History {
  entity: string;
  id: string;
}

/**
 * A list whose items have a `cursor` each, in their order. For `Accept: text/event-stream` the gateway sends it page by
 * page as server-sent events, and continues when an event is announced. After a page without `next` the stream ends.
 */
export interface StreamTrait {
  /** The query parameter for a cursor. */
  after: string;
  /** The path parameter whose value is the topic of announcements; without it, the topic is the id of the caller. */
  topic?: string;
  /**
   * The cursor with which a stream begins unless the client names one; without it, the first page is that of the list.
   */
  begin?: string;
  /**
   * For `Accept: application/x-ndjson` the gateway sends the pages that there are as lines, one for each item. Whoever
   * reads them goes on behind the cursor of the last one, until an answer has no lines.
   */
  lines?: true;
}

/** Requests of one class share a rate limit. */
export type RateClass = 'ordinary' | 'search' | 'content-write' | 'spec-write' | 'pdf';

export interface Deprecation {
  /** ISO date since when clients should use the successor. */
  since: string;
  /** ISO date of the removal, at the earliest. */
  sunset: string;
  /** Path below `/v1` that replaces it. */
  successor: string;
}

/** The parts of an operation that have to fit together. */
type Checked = Pick<Traits, 'id' | 'method' | 'kind' | 'path' | 'aliases' | 'rest' | 'produces' | 'dryRun'> & {
  response: z.ZodType | undefined;
};

/** Checks that the properties of an operation fit together. @throws an error that names the operation and the rule */
export function refuseUnfit(op: Checked): void {
  const { method, kind, path, aliases, produces, response } = op;
  const require = (holds: boolean, rule: string): void => {
    if (!holds) throw new Error(`Operation ${op.id}: ${rule}`);
  };
  require(method !== 'GET' || kind === 'read', 'a GET is a read');
  require(kind === 'write' || method === 'GET' || method === 'POST', 'only a GET or a POST can be a read');
  require(kind === 'write' || !op.dryRun, 'a read has no dry run');
  require(aliases.every(
    (alias) => parametersOf(alias) === parametersOf(path),
  ), 'an alias has the parameters of the path');
  const { rest } = op;
  require(rest === undefined ||
    [path, ...aliases].every((one) =>
      one.endsWith(`/{${rest}}`),
    ), 'the parameter for the rest of a path stands at its end');
  require(produces === 'application/json' || response?.type === 'string', 'the response of a text is a string');
  require(!produces.startsWith('text/html'), 'an answer is never a page');
}

function parametersOf(path: string): string {
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join();
}
