import { AppError, reasonStatus } from '@scriptorium/contracts';
import { encodeMessageBatch, type Entry } from './batch.js';
import { type Connection, mayShare, send, sendError } from './connection.js';
import { DEFAULT_DEADLINE_MS, MAX_BODY_BYTES, MAX_DEADLINE_MS } from './limits.js';
import { needsParts, sendInParts, type Transfer } from './transfer.js';
import { encodeError, encodeHeaders, NO_BODY, numberIn, ownHeaders, tooLarge, unavailable, wire } from './wire.js';

/** A request as its handler gets it. */
export interface ServedRequest {
  readonly operation: string;
  /** It may share memory with other messages, so copy it to keep it beyond the request. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** When the requester stops waiting, in milliseconds since 1970 by the clock of this machine. */
  readonly deadline: number;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

export interface ServedAnswer {
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
  /**
   * Answers one request. A thrown `AppError` is sent to the requester as it is. Any other error is logged with the
   * request id and sent as `unexpected`, without its cause.
   */
  handle(request: ServedRequest): Promise<ServedAnswer>;
  /** Requests that are handled at the same time; others wait. Default: 256. */
  readonly concurrency?: number;
}

/** What a replica has open. */
export interface OpenJobs {
  readonly connection: Connection;
  /** Of the service. */
  readonly name: string;
  /** Requests without an answer. */
  readonly open: Set<Job>;
  /** Called when none is open any longer. */
  onIdle: (() => void) | undefined;
  /** Sends an answer at the end of the turn. */
  readonly post: (answer: PostedAnswer) => void;
}

/** One request while a replica handles it. */
export interface Job {
  readonly replica: OpenJobs;
  readonly request: Entry;
  readonly reply: string;
  /** The subject for an answer that may share a message with others; `reply` for a request that came alone. */
  readonly to: string;
  readonly deadline: number;
  readonly timer: NodeJS.Timeout;
  /** The whole body, once it has arrived. */
  body: Uint8Array;
  /** Gives the bytes of a body that came in parts back to the limit of the connection. */
  release: (() => void) | undefined;
  answered: boolean;
  abort: AbortController | undefined;
}

/** An answer that is sent at the end of the turn. */
export interface PostedAnswer {
  readonly to: string;
  readonly job: Job;
  readonly entry: Entry;
}

/** Opens the job of a request. At the deadline the requester gets an error, whatever the handler does. */
export function openJob(replica: OpenJobs, request: Entry, reply: string, to: string): Job {
  const remaining = numberIn(request.own, wire.deadline, 0, MAX_DEADLINE_MS) ?? DEFAULT_DEADLINE_MS;
  const expire = () => {
    job.abort?.abort();
    refuse(job, unavailable('The deadline has passed'));
  };
  const job: Job = {
    replica,
    request,
    reply,
    to,
    deadline: Date.now() + remaining,
    timer: setTimeout(expire, remaining),
    body: request.body,
    release: undefined,
    answered: false,
    abort: undefined,
  };
  replica.open.add(job);
  return job;
}

/** Answers a job with what the handler returns or throws. Never rejects. */
export async function handleJob(job: Job, service: Service): Promise<void> {
  let outcome: ServedAnswer;
  try {
    // The deadline passed while the request waited.
    if (job.answered) return;
    outcome = await service.handle(requestOf(job));
  } catch (error) {
    return refuse(job, refusalOf(job, error));
  } finally {
    job.release?.();
  }
  answer(job, outcome);
}

/** Sends an error. Does nothing when the request has been answered. */
export function refuse(job: Job, error: AppError): void {
  if (!job.answered) post(job, { [wire.error]: error.reason }, {}, encodeError(error));
}

/** Sends an answer, in parts if it is large. Does nothing when the request has been answered. */
function answer(job: Job, { body, headers = {} }: ServedAnswer): void {
  if (job.answered) return;
  if (body.length > MAX_BODY_BYTES) return refuse(job, tooLarge(body.length, MAX_BODY_BYTES));
  if (needsParts(job.replica.connection, body)) return answerInParts(job, body, headers);
  post(job, {}, headers, body);
}

function post(job: Job, own: Entry['own'], headers: Entry['headers'], body: Uint8Array): void {
  close(job);
  const { replica, request, reply, to } = job;
  const entry = { token: request.token, operation: '', own, headers, body };
  replica.post({ to: mayShare(replica.connection, body) ? to : reply, job, entry });
}

/** Sends answers to one subject, in one message if there are several. */
export function sendAnswers(connection: Connection, answers: readonly PostedAnswer[]): void {
  if (answers.length > 1 && sentAsBatch(connection, answers)) return;
  for (const { job, entry } of answers) {
    const { own, headers, body } = entry;
    const none = Object.keys(headers).length + Object.keys(own).length === 0;
    try {
      send(connection, job.reply, body, none ? {} : { headers: encodeHeaders(headers, own) });
    } catch (error) {
      sendError(connection, job.reply, refusalOf(job, error));
    }
  }
}

/** False when they are too large together. */
function sentAsBatch(connection: Connection, answers: readonly PostedAnswer[]): boolean {
  try {
    send(connection, answers[0]?.to ?? '', encodeMessageBatch(answers.map(({ entry }) => entry)));
    return true;
  } catch {
    return false;
  }
}

function answerInParts(job: Job, body: Uint8Array, headers: Entry['headers']): void {
  const { connection } = job.replica;
  let outgoing: Transfer | undefined;
  const own = connection.inbox.open((message) => {
    if (ownHeaders(message)[wire.error] === undefined) outgoing?.take(message);
    else over();
  });
  const end = () => {
    outgoing?.cancel();
    connection.inbox.close(own);
  };
  const over = () => {
    end();
    close(job);
  };
  try {
    outgoing = sendInParts(connection, body, over, over);
    const announcement = encodeHeaders(headers, { [wire.transfer]: String(body.length) });
    send(connection, job.reply, NO_BODY, { headers: announcement, reply: own });
  } catch (error) {
    end();
    refuse(job, refusalOf(job, error));
  }
}

function close(job: Job): void {
  if (job.answered) return;
  const { replica, timer } = job;
  job.answered = true;
  clearTimeout(timer);
  replica.open.delete(job);
  if (replica.open.size === 0) replica.onIdle?.();
}

function requestOf(job: Job): ServedRequest {
  const { request, body, deadline } = job;
  return {
    operation: request.operation,
    body,
    headers: request.headers,
    deadline,
    // Created only on use: most handlers never read it, and an AbortController costs more than the rest of this object.
    get signal() {
      job.abort ??= new AbortController();
      if (Date.now() >= deadline) job.abort.abort();
      return job.abort.signal;
    },
  };
}

/** The error that the requester gets. What it is not told is logged. */
function refusalOf({ replica, request }: Job, error: unknown): AppError {
  const { logger } = replica.connection;
  const { operation, headers } = request;
  const names = { requestId: headers.requestId, service: replica.name, operation };
  if (error instanceof AppError) {
    const { reason, cause } = error;
    if (reasonStatus[reason] >= 500 && cause !== undefined) {
      logger.warn({ ...names, reason, err: cause }, 'request refused');
    }
    return error;
  }
  logger.error({ ...names, err: error }, 'request failed');
  return new AppError('unexpected');
}
