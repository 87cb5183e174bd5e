import { type Expected } from '../storage/decide.js';
import { type WriteKind, type WriteResult } from '../storage/write-request.js';
import { type Call } from '../wire/call.js';
import { type Streams, streams, shared } from '../wire/definitions.js';
import { frame } from '../wire/protobuf.js';
import { invalidArgument, RpcError, Status, streamDeleted, wrongExpectedVersion } from '../wire/status.js';
import { type RpcContext, toRpcError } from './context.js';
import { streamName } from './proposed.js';

type Options = Streams.DeleteReq.Options | Streams.TombstoneReq.Options;

/** `Delete`: the stream's events are hidden and it may begin again behind them. */
export function deleteStream(context: RpcContext, call: Call): void {
  remove(context, call, 'delete', (bytes) => streams.DeleteReq.deserializeBinary(bytes).getOptions());
}

/** `Tombstone`: the stream ends for good. */
export function tombstone(context: RpcContext, call: Call): void {
  remove(context, call, 'tombstone', (bytes) => streams.TombstoneReq.deserializeBinary(bytes).getOptions());
}

function remove(context: RpcContext, call: Call, kind: WriteKind, parse: (bytes: Buffer) => Options | undefined): void {
  let options: Options | undefined;
  call.onMessage((bytes) => {
    options = parse(bytes);
  });
  call.onHalfClose(() => {
    if (options === undefined) throw invalidArgument('The options are missing.');
    const stream = streamName(options.getStreamIdentifier());
    const expected = expectedOf(options);
    context.store.submit({ kind, stream, expected, events: [] }).then(
      (result) => {
        answer(call, stream, expected, result);
      },
      (error: unknown) => {
        call.finish(toRpcError(context, error));
      },
    );
  });
}

function expectedOf(options: Options): Expected {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
}

const AS_NUMBER = { no_stream: -1, any: -2, stream_exists: -4 } as const;

function answer(call: Call, stream: string, expected: Expected, result: WriteResult): void {
  switch (result.kind) {
    case 'deleted':
      call.finish(streamDeleted(stream));
      return;
    case 'wrong_version':
      call.finish(
        wrongExpectedVersion(stream, typeof expected === 'number' ? expected : AS_NUMBER[expected], result.current),
      );
      return;
    case 'timeout':
      call.finish(new RpcError(Status.deadlineExceeded, 'Deadline Exceeded'));
      return;
    case 'ok':
      call.write(frame(response(result.position)));
      call.finish();
  }
}

/** `DeleteResp` and `TombstoneResp` have the same fields. */
function response(at: number | undefined): Uint8Array {
  const message = new streams.DeleteResp();
  if (at === undefined) return message.setNoPosition(new shared.Empty()).serializeBinary();
  const position = new streams.DeleteResp.Position();
  position.setCommitPosition(String(at));
  position.setPreparePosition(String(at));
  return message.setPosition(position).serializeBinary();
}
