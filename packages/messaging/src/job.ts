import { type Msg } from '@nats-io/transport-node';
import { AppError, reasonStatus } from '@scriptorium/contracts';
import { DEFAULT_DEADLINE_MS, MAX_BODY_BYTES, MAX_DEADLINE_MS } from './limits.js';
import { type Link, send } from './link.js';
import { needsParts, type Outgoing, startOutgoing } from './outgoing.js';
import { type ServedAnswer, type ServedRequest, type Service } from './service.js';
import { decodeHeaders, encodeHeaders, NO_BODY, numberHeader, ownHeaders, wire } from './wire.js';
import { encodeError, tooLarge, unavailable } from './wire-errors.js';

/** One request while a replica handles it. */
export interface Job {
  readonly link: Link;
  readonly service: string;
  readonly operation: string;
  readonly headers: Record<string, string>;
  readonly reply: string;
  readonly deadline: number;
  body: Uint8Array;
  /** Returns the bytes of the body to the transfer budget. */
  release: (() => void) | undefined;
  answered: boolean;
  abort: AbortController | undefined;
  readonly timer: NodeJS.Timeout;
  /** Called once, when the requester has its answer or has stopped waiting. */
  readonly closed: () => void;
}

/** Reads the headers of a request. At the deadline the requester gets an error, whatever the handler does. */
export function openJob(link: Link, service: string, message: Msg, closed: () => void): Job {
  const remaining = numberHeader(message, wire.deadline, 0, MAX_DEADLINE_MS) ?? DEFAULT_DEADLINE_MS;
  const expire = () => {
    job.abort?.abort();
    refuse(job, unavailable('The deadline has passed'));
  };
  const job: Job = {
    link,
    service,
    operation: message.subject.slice(message.subject.lastIndexOf('.') + 1),
    headers: decodeHeaders(message),
    reply: message.reply ?? '',
    deadline: Date.now() + remaining,
    body: message.data,
    release: undefined,
    answered: false,
    abort: undefined,
    timer: setTimeout(expire, remaining),
    closed,
  };
  return job;
}

/** Calls the handler, unless the deadline passed while the request waited. Never rejects. */
export async function runJob(job: Job, service: Service): Promise<ServedAnswer | AppError> {
  try {
    if (job.answered) return unavailable('The deadline has passed');
    return await service.handle(requestOf(job));
  } catch (error) {
    return refusalOf(job, error);
  } finally {
    job.release?.();
  }
}

/** Sends the outcome, in parts if it is large. Does nothing when the request has been answered. */
export function answer(job: Job, outcome: ServedAnswer | AppError): void {
  if (outcome instanceof AppError) return refuse(job, outcome);
  if (job.answered) return;
  const { body, headers = {} } = outcome;
  if (body.length > MAX_BODY_BYTES) return refuse(job, tooLarge(body.length, MAX_BODY_BYTES));
  try {
    if (needsParts(job.link, body)) return answerInParts(job, body, headers);
    const none = Object.keys(headers).length === 0;
    send(job.link, job.reply, body, none ? undefined : encodeHeaders(headers, {}));
  } catch (error) {
    return refuse(job, refusalOf(job, error));
  }
  close(job);
}

/** Sends an error. Does nothing when the request has been answered. */
export function refuse(job: Job, error: AppError): void {
  if (job.answered) return;
  close(job);
  try {
    send(job.link, job.reply, encodeError(error), encodeHeaders({}, { [wire.error]: error.reason }));
  } catch (cause) {
    job.link.logger.warn({ ...namesOf(job), err: cause }, 'a refusal could not be sent');
  }
}

function answerInParts(job: Job, body: Uint8Array, headers: Readonly<Record<string, string>>): void {
  const own = job.link.inbox.open((message) => {
    if (ownHeaders(message)[wire.error] === undefined) return outgoing?.onCredit(message);
    outgoing?.cancel();
    over();
  });
  const over = () => {
    job.link.inbox.close(own);
    close(job);
  };
  let outgoing: Outgoing | undefined;
  try {
    outgoing = startOutgoing(job.link, body, { done: over, failed: over });
    const announcement = encodeHeaders(headers, { [wire.transfer]: String(body.length) });
    send(job.link, job.reply, NO_BODY, announcement, own);
  } catch (error) {
    job.link.inbox.close(own);
    outgoing?.cancel();
    throw error;
  }
}

function close(job: Job): void {
  if (job.answered) return;
  job.answered = true;
  clearTimeout(job.timer);
  job.closed();
}

function requestOf(job: Job): ServedRequest {
  const { operation, body, headers, deadline } = job;
  return {
    operation,
    body,
    headers,
    deadline,
    // Created only on use: most handlers never read it, and an AbortController costs more than the rest of this object.
    get signal() {
      job.abort ??= new AbortController();
      if (Date.now() >= deadline) job.abort.abort();
      return job.abort.signal;
    },
  };
}

function refusalOf(job: Job, error: unknown): AppError {
  if (error instanceof AppError) {
    const { reason, cause } = error;
    if (reasonStatus[reason] >= 500 && cause !== undefined) {
      job.link.logger.warn({ ...namesOf(job), reason, err: cause }, 'request refused');
    }
    return error;
  }
  job.link.logger.error({ ...namesOf(job), err: error }, 'request failed');
  return new AppError('unexpected');
}

function namesOf(job: Job): object {
  return { requestId: job.headers.requestId, service: job.service, operation: job.operation };
}
