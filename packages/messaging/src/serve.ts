import { type Msg } from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { decodeMessageBatch } from './batch.js';
import { type Connection, flush, sendError } from './connection.js';
import {
  handleJob,
  type Job,
  openJob,
  type OpenJobs,
  type PostedAnswer,
  refuse,
  sendAnswers,
  type Service,
} from './job.js';
import { DEFAULT_CONCURRENCY, DRAIN_TIMEOUT_MS, MAX_WAITING_REQUESTS } from './limits.js';
import { receiveParts, type Transfer } from './transfer.js';
import { decodeHeaders, MANY, ownHeaders, serviceSubject, tokenOf, unavailable, wire } from './wire.js';

export interface Serving {
  /**
   * Accepts no further requests, which go to other replicas, and resolves when those that arrived are answered. It
   * waits for no request beyond its deadline, and at most 30 s.
   */
  drain(): Promise<void>;
}

/** One replica of a service. */
interface Replica extends OpenJobs {
  readonly service: Service;
  /** Open requests whose handling has not begun. */
  readonly queue: Job[];
  running: number;
}

/** Subscribes to `<namespace>.rpc.<name>.*` in the queue group of the service, and answers its requests. */
export async function serve(connection: Connection, name: string, service: Service): Promise<Serving> {
  const replica: Replica = {
    connection,
    name,
    service,
    open: new Set(),
    queue: [],
    post: connection.turn.gather<PostedAnswer>((answers) => sendAnswers(connection, answers)),
    running: 0,
    onIdle: undefined,
  };
  const subscription = connection.nc.subscribe(serviceSubject(connection.namespace, name), {
    queue: name,
    callback: (error, message) => {
      if (error === null && message.reply !== undefined && message.reply !== '')
        arrive(replica, message, message.reply);
    },
  });
  await flush(connection);
  let drained: Promise<void> | undefined;
  return {
    drain() {
      drained ??= (async () => {
        if (!connection.nc.isClosed()) await subscription.drain();
        await untilIdle(replica);
        await flush(connection);
      })();
      return drained;
    },
  };
}

function arrive(replica: Replica, message: Msg, reply: string): void {
  const [token, operation] = [tokenOf(reply), tokenOf(message.subject)];
  if (operation !== MANY) {
    const own = ownHeaders(message);
    const request = { token, operation, own, headers: decodeHeaders(message), body: message.data };
    const job = openJob(replica, request, reply, reply);
    return own[wire.transfer] === undefined ? enqueue(replica, job) : receiveBody(replica, job, message);
  }
  const requests = decodeMessageBatch(message.data);
  if (requests === undefined) {
    const { connection, name } = replica;
    connection.logger.warn({ service: name }, 'a malformed message with several requests was refused');
    return sendError(connection, reply, unavailable('A malformed message was refused'));
  }
  const inbox = reply.slice(0, -token.length);
  for (const request of requests) enqueue(replica, openJob(replica, request, inbox + request.token, reply));
}

/** Receives a large body. Its parts arrive on a subject of this replica only. */
function receiveBody(replica: Replica, job: Job, opening: Msg): void {
  const { inbox } = replica.connection;
  let incoming: Transfer | undefined;
  const own = inbox.open((part) => incoming?.take(part));
  const failed = (error: AppError) => {
    inbox.close(own);
    refuse(job, error);
  };
  try {
    incoming = receiveParts(replica.connection, opening, own, {
      done(body, release) {
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
  const { service, queue, running } = replica;
  if (running < (service.concurrency ?? DEFAULT_CONCURRENCY)) return void run(replica, job);
  if (queue.length < MAX_WAITING_REQUESTS) return void queue.push(job);
  job.release?.();
  refuse(job, unavailable('The service has too many requests, try again'));
}

async function run(replica: Replica, job: Job): Promise<void> {
  const { service, queue } = replica;
  replica.running += 1;
  await handleJob(job, service);
  replica.running -= 1;
  const next = queue.shift();
  if (next !== undefined) void run(replica, next);
}

async function untilIdle(replica: Replica): Promise<void> {
  const { open, name, connection } = replica;
  if (open.size === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      connection.logger.warn({ service: name, open: open.size }, 'drained with requests unanswered');
      resolve();
    }, DRAIN_TIMEOUT_MS);
    replica.onIdle = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
