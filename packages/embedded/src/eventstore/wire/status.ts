/** gRPC status codes used here. */
export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/**
 * A failure as it goes to the client: status, message, and the trailers by which clients of this protocol recognise it.
 */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly trailers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

export function streamDeleted(stream: string): RpcError {
  return new RpcError(Status.failedPrecondition, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

/** @param expected as a number: -1 no stream, -2 any, -4 stream exists */
export function wrongExpectedVersion(stream: string, expected: number, actual: number): RpcError {
  const shown = actual < 0 ? '' : String(actual);
  return new RpcError(
    Status.failedPrecondition,
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${String(expected)}, Actual version: ${shown || '-1'}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': shown,
    },
  );
}

export function maximumAppendSize(limit: number): RpcError {
  return new RpcError(Status.invalidArgument, `Maximum Append Size of ${String(limit)} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });
}

/** @param eventId as text */
export function maximumAppendEventSize(eventId: string, size: number, limit: number): RpcError {
  return new RpcError(Status.invalidArgument, `Maximum Append Event Size of ${String(limit)} Exceeded.`, {
    exception: 'maximum-append-event-size-exceeded',
    'event-id': eventId,
    'proposed-event-size': String(size),
    'maximum-append-event-size': String(limit),
  });
}

export function requiredMetadataMissing(): RpcError {
  return new RpcError(Status.invalidArgument, 'Required Metadata Property type or content-type is missing', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
}

export function accessDenied(): RpcError {
  return new RpcError(Status.permissionDenied, 'Access Denied', { exception: 'access-denied' });
}

export function invalidArgument(message: string): RpcError {
  return new RpcError(Status.invalidArgument, message);
}
