import { randomUUID } from 'node:crypto';
import { type RecordView } from '../storage/record.js';
import { type Call } from '../wire/call.js';
import { type Streams } from '../wire/definitions.js';
import { ProtoWriter } from '../wire/protobuf.js';
import { CAUGHT_UP_FRAME, checkpointFrame, confirmationFrame, FELL_BEHIND_FRAME } from '../wire/read-frames.js';
import { invalidArgument } from '../wire/status.js';
import { type RpcContext, toRpcError } from './context.js';
import { type Filter, toFilter } from './filter.js';
import { writeResolved } from './links.js';
import { allSource, type ReadSource, StreamSource } from './read-source.js';

const CHUNK = 48 * 1024;

/**
 * Starts a catch-up subscription to a stream or to `$all`. It has no queue: it is a place in the log, read on when the
 * client keeps up.
 */
export function subscribe(context: RpcContext, call: Call, options: Streams.ReadReq.Options): void {
  const stream = options.getStream();
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : toFilter(filterOptions);
  const name = Buffer.from(stream?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  if (stream !== undefined && name === '') throw invalidArgument('The stream name is empty.');
  const source = stream === undefined ? allFrom(context, options) : streamFrom(context, name, stream);
  const subscription = new Subscription(context, call, source, filter, options.getResolveLinks());
  call.onClose(
    context.store.watch(stream === undefined ? undefined : name, () => {
      subscription.wake();
    }),
  );
  subscription.start();
}

/** A position given by the client was already delivered: the subscription begins behind it. */
function allFrom({ store }: RpcContext, options: Streams.ReadReq.Options): ReadSource {
  const from = options.getAll();
  if (from?.hasEnd() === true) return allSource(store.forward(store.end));
  const position = from?.getPosition();
  return allSource(store.forward(position === undefined ? 0 : Number(position.getCommitPosition()) + 1));
}

function streamFrom({ store }: RpcContext, name: string, from: Streams.ReadReq.Options.StreamOptions): ReadSource {
  let next = 0;
  if (from.hasEnd()) next = (store.find(name)?.last ?? -1) + 1;
  else if (from.hasRevision()) next = Number(from.getRevision()) + 1;
  return new StreamSource(store, name, next, 1);
}

class Subscription {
  private readonly out = new ProtoWriter(CHUNK * 2);
  private busy = false;
  private behind = true;
  private wasLive = false;
  private looked = 0;

  constructor(
    private readonly context: RpcContext,
    private readonly call: Call,
    private readonly source: ReadSource,
    private readonly filter: Filter | undefined,
    private readonly resolveLinks: boolean,
  ) {}

  start(): void {
    this.call.write(confirmationFrame(randomUUID()));
    this.busy = true;
    this.turn();
  }

  /** Something was committed. */
  wake(): void {
    this.behind = true;
    if (this.busy) return;
    this.busy = true;
    // The committer calls this: the events are read in a turn of their own.
    setImmediate(() => {
      this.turn();
    });
  }

  private turn(): void {
    if (this.call.isOver) return;
    try {
      this.behind = false;
      const more = this.source.step((record) => this.visit(record)) || this.out.at >= CHUNK;
      if (!more && !this.wasLive) this.announce(true);
      const keepsUp = this.out.at === 0 || this.call.write(this.out.take(CHUNK * 2));
      this.goOn(more, keepsUp);
    } catch (error) {
      this.call.finish(toRpcError(this.context, error));
    }
  }

  private goOn(more: boolean, keepsUp: boolean): void {
    const turn = (): void => {
      this.turn();
    };
    if (!keepsUp) {
      this.call.onDrain(turn);
      return;
    }
    if (more && this.wasLive) this.announce(false);
    if (more || this.behind) setImmediate(turn);
    else this.busy = false;
  }

  /** Tells the client whether it now sees events as they happen. */
  private announce(live: boolean): void {
    this.wasLive = live;
    const frame = live ? CAUGHT_UP_FRAME : FELL_BEHIND_FRAME;
    this.out.reserve(frame.length);
    this.out.raw(frame);
  }

  private visit(record: RecordView): boolean {
    if (this.filter === undefined || this.filter.matches(record)) {
      writeResolved(this.out, record, this.context.store, this.resolveLinks);
    }
    if (this.filter !== undefined) this.countLooked(record.position, this.filter.checkpointEvery);
    return this.out.at < CHUNK;
  }

  private countLooked(position: number, every: number): void {
    this.looked += 1;
    if (this.looked < every) return;
    this.looked = 0;
    const frame = checkpointFrame(position);
    this.out.reserve(frame.length);
    this.out.raw(frame);
  }
}
