import { type WriteResult } from '../storage/write-request.js';
import { field, frame, numberField } from '../wire/protobuf.js';
import { type RpcError, Status } from '../wire/status.js';

const EMPTY = Buffer.alloc(0);
const PACKAGE = 'type.googleapis.com/event_store.client.';

/** What an answer repeats of its request. */
export interface Echo {
  /** the correlation id's message, as it came */
  readonly correlationId: Uint8Array;
  readonly stream: string;
  /** the expected position's field, as it came */
  readonly expected: Expectation;
}

export interface Expectation {
  readonly kind: 'revision' | 'no_stream' | 'any' | 'stream_exists';
  readonly revision: number;
}

/** A `BatchAppendResp` frame. */
export function batchResponse(echo: Echo, result: WriteResult): Buffer {
  if (result.kind === 'ok') return respond(echo, field(0x1a, successOf(result)));
  if (result.kind === 'timeout') return failure(echo, Status.deadlineExceeded, 'Timeout', 'Timeout', EMPTY);
  if (result.kind === 'deleted') {
    const detail = field(0x0a, field(0x1a, Buffer.from(echo.stream, 'utf8')));
    return failure(echo, Status.failedPrecondition, 'StreamDeleted', 'StreamDeleted', detail);
  }
  return failure(
    echo,
    Status.failedPrecondition,
    'WrongExpectedVersion',
    'WrongExpectedVersion',
    wrongVersion(echo, result.current),
  );
}

/** A `BatchAppendResp` frame for an append that failed otherwise. */
export function batchFailure(echo: Echo, error: RpcError): Buffer {
  const tooLarge = eventTooLarge(error);
  if (tooLarge !== undefined)
    return failure(echo, error.code, error.message, 'MaximumAppendEventSizeExceeded', tooLarge);
  const limit = error.trailers['maximum-append-size'];
  if (limit !== undefined) {
    return failure(
      echo,
      Status.invalidArgument,
      error.message,
      'MaximumAppendSizeExceeded',
      numberField(0x08, Number(limit)),
    );
  }
  if (error.code === Status.permissionDenied) return failure(echo, error.code, error.message, 'AccessDenied', EMPTY);
  if (error.code === Status.invalidArgument) {
    return failure(echo, error.code, error.message, 'BadRequest', field(0x0a, Buffer.from(error.message)));
  }
  return failure(echo, error.code, error.message, 'Unknown', EMPTY);
}

/** The details of one event that is too large; undefined for other errors. */
function eventTooLarge({ trailers }: RpcError): Buffer | undefined {
  const limit = trailers['maximum-append-event-size'];
  if (limit === undefined) return undefined;
  const [id = '', size] = [trailers['event-id'], trailers['proposed-event-size']];
  return Buffer.concat([
    field(0x0a, Buffer.from(id)),
    numberField(0x10, Number(size)),
    numberField(0x18, Number(limit)),
  ]);
}

function successOf(result: { revision: number; position?: number }): Buffer {
  const revision = result.revision < 0 ? field(0x12, EMPTY) : numberField(0x08, result.revision);
  if (result.position === undefined) return Buffer.concat([revision, field(0x22, EMPTY)]);
  const position = Buffer.concat([numberField(0x08, result.position), numberField(0x10, result.position)]);
  return Buffer.concat([revision, field(0x1a, position)]);
}

function wrongVersion(echo: Echo, current: number): Buffer {
  const actual = current < 0 ? field(0x12, EMPTY) : numberField(0x08, current);
  switch (echo.expected.kind) {
    case 'revision':
      return Buffer.concat([actual, numberField(0x18, echo.expected.revision)]);
    case 'any':
      return Buffer.concat([actual, field(0x22, EMPTY)]);
    case 'stream_exists':
      return Buffer.concat([actual, field(0x2a, EMPTY)]);
    case 'no_stream':
      return Buffer.concat([actual, field(0x32, EMPTY)]);
  }
}

function failure(echo: Echo, code: number, message: string, type: string, detail: Buffer): Buffer {
  const any = Buffer.concat([field(0x0a, Buffer.from(PACKAGE + type)), field(0x12, detail)]);
  const status = Buffer.concat([numberField(0x08, code), field(0x12, Buffer.from(message)), field(0x1a, any)]);
  return respond(echo, field(0x12, status));
}

function respond(echo: Echo, outcome: Buffer): Buffer {
  const identifier = field(0x22, field(0x1a, Buffer.from(echo.stream, 'utf8')));
  return frame(field(0x0a, echo.correlationId), outcome, identifier, expectedField(echo.expected));
}

function expectedField(expected: Expectation): Buffer {
  switch (expected.kind) {
    case 'revision':
      return numberField(0x28, expected.revision);
    case 'no_stream':
      return field(0x32, EMPTY);
    case 'any':
      return field(0x3a, EMPTY);
    case 'stream_exists':
      return field(0x42, EMPTY);
  }
}
