import { type Expected } from '../storage/decide.js';
import { type WriteResult } from '../storage/write-request.js';
import { type Call } from '../wire/call.js';
import { type Streams, streams, shared } from '../wire/definitions.js';
import { frame } from '../wire/protobuf.js';
import { invalidArgument, RpcError, Status, streamDeleted } from '../wire/status.js';
import { type RpcContext, toRpcError } from './context.js';
import { ProposedEvents, streamName } from './proposed.js';

/** `Append`: options first, then one message per event; answered when the client has sent all. */
export function append(context: RpcContext, call: Call): void {
  const proposed = new ProposedEvents(context.limits);
  let target: { stream: string; expected: Expected } | undefined;
  call.onMessage((bytes) => {
    const request = streams.AppendReq.deserializeBinary(bytes);
    const options = request.getOptions();
    const message = request.getProposedMessage();
    if (options !== undefined)
      target = { stream: streamName(options.getStreamIdentifier()), expected: expectedOf(options) };
    else if (message !== undefined) proposed.add(message);
  });
  call.onHalfClose(() => {
    if (target === undefined) throw invalidArgument('The first message must hold the options.');
    const { stream, expected } = target;
    context.store.submit({ kind: 'append', stream, expected, events: proposed.events }).then(
      (result) => {
        answer(call, stream, expected, result);
      },
      (error: unknown) => {
        call.finish(toRpcError(context, error));
      },
    );
  });
}

function expectedOf(options: Streams.AppendReq.Options): Expected {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
}

function answer(call: Call, stream: string, expected: Expected, result: WriteResult): void {
  if (result.kind === 'deleted') {
    call.finish(streamDeleted(stream));
    return;
  }
  if (result.kind === 'timeout') {
    call.finish(new RpcError(Status.deadlineExceeded, 'Deadline Exceeded'));
    return;
  }
  const response = new streams.AppendResp();
  if (result.kind === 'ok') response.setSuccess(success(result));
  else response.setWrongExpectedVersion(wrongVersion(expected, result.current));
  call.write(frame(response.serializeBinary()));
  call.finish();
}

function success(result: { revision: number; position?: number }): Streams.AppendResp.Success {
  const message = new streams.AppendResp.Success();
  if (result.revision < 0) message.setNoStream(new shared.Empty());
  else message.setCurrentRevision(String(result.revision));
  if (result.position === undefined) return message.setNoPosition(new shared.Empty());
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(result.position));
  position.setPreparePosition(String(result.position));
  return message.setPosition(position);
}

function wrongVersion(expected: Expected, current: number): Streams.AppendResp.WrongExpectedVersion {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) message.setCurrentNoStream(new shared.Empty()).setNoStream2060(new shared.Empty());
  else message.setCurrentRevision(String(current)).setCurrentRevision2060(current);
  if (expected === 'any') return message.setExpectedAny(new shared.Empty()).setAny2060(new shared.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream_exists')
    return message.setExpectedStreamExists(new shared.Empty()).setStreamExists2060(new shared.Empty());
  return message.setExpectedRevision(String(expected)).setExpectedRevision2060(expected);
}
