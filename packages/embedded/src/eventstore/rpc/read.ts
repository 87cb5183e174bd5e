import { type Call } from '../wire/call.js';
import { type Streams, streams } from '../wire/definitions.js';
import { ProtoWriter } from '../wire/protobuf.js';
import { streamNotFoundFrame } from '../wire/read-frames.js';
import { invalidArgument, streamDeleted } from '../wire/status.js';
import { type RpcContext, toRpcError } from './context.js';
import { toFilter } from './filter.js';
import { writeResolved } from './links.js';
import { allSource, type ReadSource, StreamSource, streamState } from './read-source.js';
import { subscribe } from './subscription.js';

const FORWARDS = 0;
const CHUNK = 48 * 1024;

/** `Read`: streams and `$all` in both directions, and catch-up subscriptions. */
export function read(context: RpcContext, call: Call): void {
  let options: Streams.ReadReq.Options | undefined;
  call.onMessage((bytes) => {
    options = streams.ReadReq.deserializeBinary(bytes).getOptions();
  });
  call.onHalfClose(() => {
    if (options === undefined) throw invalidArgument('The options are missing.');
    if (options.hasSubscription()) subscribe(context, call, options);
    else if (options.hasStream()) readStream(context, call, options);
    else readAll(context, call, options);
  });
}

function readStream(context: RpcContext, call: Call, options: Streams.ReadReq.Options): void {
  const from = options.getStream();
  const name = Buffer.from(from?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  if (name === '') throw invalidArgument('The stream name is empty.');
  const head = context.store.find(name);
  const state = streamState(head);
  if (state === 'deleted') throw streamDeleted(name);
  if (head === undefined || state === 'missing') {
    call.write(streamNotFoundFrame(name));
    call.finish();
    return;
  }
  const forwards = Number(options.getReadDirection()) === FORWARDS;
  let next = forwards ? head.last + 1 : head.last;
  if (from?.hasStart() === true) next = 0;
  else if (from?.hasRevision() === true) next = Number(from.getRevision());
  send(context, call, options, new StreamSource(context.store, name, next, forwards ? 1 : -1));
}

function readAll(context: RpcContext, call: Call, options: Streams.ReadReq.Options): void {
  const from = options.getAll();
  const { store } = context;
  const forwards = Number(options.getReadDirection()) === FORWARDS;
  let position = 0;
  if (from?.hasEnd() === true) position = store.end;
  else if (from?.hasPosition() === true) position = Number(from.getPosition()?.getCommitPosition());
  send(context, call, options, allSource(forwards ? store.forward(position) : store.backward(position)));
}

/**
 * Sends events until there are no more, the client's count is reached, or the client is gone; waits when the client is
 * slow.
 */
function send(context: RpcContext, call: Call, options: Streams.ReadReq.Options, source: ReadSource): void {
  let left = Number(options.getCount());
  const resolveLinks = options.getResolveLinks();
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : toFilter(filterOptions);
  const out = new ProtoWriter(CHUNK * 2);
  const turn = (): void => {
    if (call.isOver) return;
    try {
      const more =
        left > 0 &&
        source.step((record) => {
          if (filter !== undefined && !filter.matches(record)) return true;
          writeResolved(out, record, context.store, resolveLinks);
          left -= 1;
          return left > 0 && out.at < CHUNK;
        });
      const full = out.at >= CHUNK;
      const keepsUp = out.at === 0 || call.write(out.take(CHUNK * 2));
      if (left === 0 || (!more && !full)) call.finish();
      else if (keepsUp) setImmediate(turn);
      else call.onDrain(turn);
    } catch (error) {
      call.finish(toRpcError(context, error));
    }
  };
  turn();
}
