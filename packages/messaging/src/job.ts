import { type Msg } from '@nats-io/transport-node';
import { AppError, reasonStatus } from '@scriptorium/contracts';
import { DEFAULT_DEADLINE_MS, MAX_BODY_BYTES, MAX_DEADLINE_MS } from './limits.js';
import { type Link, send } from './link.js';
import { encodeMessageBatch, type Entry, mayShare } from './message-batch.js';
import { tokenOf } from './inbox.js';
import { needsParts, type Outgoing, startOutgoing } from './outgoing.js';
import { type ServedAnswer, type ServedRequest, type Service } from './service.js';
import { decodeHeaders, encodeHeaders, NO_BODY, numberIn, ownHeaders, wire } from './wire.js';
import { encodeError, tooLarge, unavailable } from './wire-errors.js';

/** One request while a replica handles it. */
export interface Job {
  readonly link: Link;
  readonly service: string;
  readonly operation: string;
  readonly headers: Record<string, string>;
  readonly reply: string;
  /** The subject for an answer that may share a message with others; `reply` for a request that came alone. */
  readonly to: string;
  /** Sends an answer at the end of the turn. */
  readonly post: (answer: PostedAnswer) => void;
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

/** An answer that is sent at the end of the turn. */
export interface PostedAnswer {
  readonly to: string;
  readonly job: Job;
  readonly entry: Entry;
}

/** A request as it arrived. */
export interface Arrived extends Pick<Job, 'operation' | 'headers' | 'reply' | 'to' | 'body'> {
  /** The headers of the protocol. */
  readonly own: Readonly<Record<string, string>>;
}

/** What answers a job. */
export interface Answering {
  readonly link: Link;
  /** Of the service. */
  readonly name: string;
  readonly post: (answer: PostedAnswer) => void;
}

/** A request that has a message for itself. */
export function arrivedAlone(message: Msg): Arrived {
  return {
    operation: tokenOf(message.subject),
    headers: decodeHeaders(message),
    own: ownHeaders(message),
    reply: message.reply ?? '',
    to: message.reply ?? '',
    body: message.data,
  };
}

/** Opens the job of a request. At the deadline the requester gets an error, whatever the handler does. */
export function openJob(
  { link, name: service, post }: Answering,
  { operation, headers, own, reply, to, body }: Arrived,
  closed: () => void,
): Job {
  const remaining = numberIn(own, wire.deadline, 0, MAX_DEADLINE_MS) ?? DEFAULT_DEADLINE_MS;
  const expire = () => {
    job.abort?.abort();
    refuse(job, unavailable('The deadline has passed'));
  };
  const job: Job = {
    link,
    service,
    operation,
    headers,
    reply,
    to,
    post,
    deadline: Date.now() + remaining,
    body,
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
  if (needsParts(job.link, body)) {
    try {
      return answerInParts(job, body, headers);
    } catch (error) {
      return refuse(job, refusalOf(job, error));
    }
  }
  close(job);
  post(job, { own: {}, headers, body });
}

function post(job: Job, { own, headers, body }: Pick<Entry, 'own' | 'headers' | 'body'>): void {
  const to = mayShare(job.link, body) ? job.to : job.reply;
  job.post({ to, job, entry: { token: tokenOf(job.reply), operation: '', own, headers, body } });
}

/** Sends answers to one subject, in one message if there are several. */
export function sendAnswers(link: Link, answers: readonly PostedAnswer[]): void {
  if (answers.length > 1 && sentAsBatch(link, answers)) return;
  for (const { job, entry } of answers) {
    try {
      sendAlone(job, entry);
    } catch (error) {
      sendLast(job, refusalOf(job, error));
    }
  }
}

/** False when they are too large together. */
function sentAsBatch(link: Link, answers: readonly PostedAnswer[]): boolean {
  try {
    send(link, answers[0]?.to ?? '', encodeMessageBatch(answers.map(({ entry }) => entry)));
    return true;
  } catch {
    return false;
  }
}

function sendAlone({ link, reply }: Job, { own, headers, body }: Pick<Entry, 'own' | 'headers' | 'body'>): void {
  const none = Object.keys(headers).length + Object.keys(own).length === 0;
  send(link, reply, body, none ? undefined : encodeHeaders(headers, own));
}

/** Sends an error. Does nothing when the request has been answered. */
export function refuse(job: Job, error: AppError): void {
  if (job.answered) return;
  close(job);
  post(job, refusal(error));
}

const refusal = (error: AppError): Pick<Entry, 'own' | 'headers' | 'body'> => ({
  own: { [wire.error]: error.reason },
  headers: {},
  body: encodeError(error),
});

/** Says why an answer could not be sent. */
function sendLast(job: Job, error: AppError): void {
  try {
    sendAlone(job, refusal(error));
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
