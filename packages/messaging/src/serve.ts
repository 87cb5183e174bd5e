import { type Msg } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { type Incoming, sendError, startIncoming, takePart } from './incoming.js';
import { decodeMessageBatch } from './message-batch.js';
import { tokenOf } from './inbox.js';
import {
  answer,
  type Answering,
  type Arrived,
  arrivedAlone,
  type Job,
  openJob,
  type PostedAnswer,
  refuse,
  runJob,
  sendAnswers,
} from './job.js';
import { DEFAULT_CONCURRENCY, DRAIN_TIMEOUT_MS, MAX_WAITING_REQUESTS } from './limits.js';
import { flush, type Link } from './link.js';
import { type Service } from './service.js';
import { MANY, serviceSubject, wire } from './wire.js';
import { unavailable } from './wire-errors.js';

export interface Serving {
  /**
   * Accepts no further requests, which go to other replicas, and resolves when those that arrived are answered. It
   * waits for no request beyond its deadline, and at most 30 s.
   */
  drain(): Promise<void>;
}

/** One replica of a service. */
interface Replica extends Answering {
  readonly service: Service;
  readonly concurrency: number;
  /** Requests without an answer. */
  readonly open: Set<Job>;
  /** Open requests whose handling has not begun. */
  readonly queue: Job[];
  running: number;
  onIdle: (() => void) | undefined;
}

/** Subscribes to `<namespace>.rpc.<name>.*` in the queue group of the service, and answers its requests. */
export async function serve(link: Link, name: string, service: Service): Promise<Serving> {
  const concurrency = service.concurrency ?? DEFAULT_CONCURRENCY;
  const replica: Replica = {
    link,
    name,
    service,
    concurrency,
    open: new Set(),
    queue: [],
    post: link.turn.gather<PostedAnswer>((answers) => sendAnswers(link, answers)),
    running: 0,
    onIdle: undefined,
  };
  const subscription = link.nc.subscribe(serviceSubject(link.namespace, name), {
    queue: name,
    callback: (error, message) => {
      if (error === null && message.reply !== undefined && message.reply !== '')
        arrive(replica, message, message.reply);
    },
  });
  await flush(link);
  let drained: Promise<void> | undefined;
  return {
    drain() {
      drained ??= (async () => {
        if (!link.nc.isClosed()) await subscription.drain();
        await untilIdle(replica);
        await flush(link);
      })();
      return drained;
    },
  };
}

function arrive(replica: Replica, message: Msg, reply: string): void {
  if (tokenOf(message.subject) !== MANY) {
    const arrived = arrivedAlone(message);
    const job = open(replica, arrived);
    return arrived.own[wire.transfer] === undefined ? enqueue(replica, job) : receiveBody(replica, job, message);
  }
  const entries = decodeMessageBatch(message.data);
  if (entries === undefined) {
    replica.link.logger.warn({ service: replica.name }, 'a malformed message with several requests was refused');
    return sendError(replica.link, reply, unavailable('A malformed message was refused'));
  }
  const inbox = reply.slice(0, -tokenOf(reply).length);
  for (const { token, operation, own, headers, body } of entries)
    enqueue(replica, open(replica, { operation, headers, own, reply: inbox + token, to: reply, body }));
}

function open(replica: Replica, arrived: Arrived): Job {
  const job = openJob(replica, arrived, () => {
    replica.open.delete(job);
    if (replica.open.size === 0) replica.onIdle?.();
  });
  replica.open.add(job);
  return job;
}

/** Receives a large body. Its parts arrive on a subject of this replica only. */
function receiveBody(replica: Replica, job: Job, opening: Msg): void {
  const { inbox } = replica.link;
  let incoming: Incoming | undefined;
  const own = inbox.open((part) => incoming !== undefined && takePart(incoming, part));
  const failed = (error: AppError) => {
    inbox.close(own);
    refuse(job, error);
  };
  try {
    incoming = startIncoming(replica.link, opening, own, {
      done: ({ body, release }) => {
        inbox.close(own);
        job.body = body;
        job.release = release;
        enqueue(replica, job);
      },
      failed,
    });
  } catch (error) {
    failed(error as AppError);
  }
}

function enqueue(replica: Replica, job: Job): void {
  if (replica.running < replica.concurrency) return void run(replica, job);
  if (replica.queue.length < MAX_WAITING_REQUESTS) {
    replica.queue.push(job);
    return;
  }
  job.release?.();
  refuse(job, unavailable('The service has too many requests, try again'));
}

async function run(replica: Replica, job: Job): Promise<void> {
  replica.running += 1;
  const outcome = await runJob(job, replica.service);
  answer(job, outcome);
  replica.running -= 1;
  const next = replica.queue.shift();
  if (next !== undefined) void run(replica, next);
}

async function untilIdle(replica: Replica): Promise<void> {
  if (replica.open.size === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      replica.link.logger.warn({ service: replica.name, open: replica.open.size }, 'drained with requests unanswered');
      resolve();
    }, DRAIN_TIMEOUT_MS);
    replica.onIdle = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
