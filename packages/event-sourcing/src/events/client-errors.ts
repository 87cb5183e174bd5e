import { AppError } from '@scriptorium/contracts';

/** The gRPC status of a call whose credentials the server does not accept, and of one that its user may not make. */
const unauthenticated = 16;
const permissionDenied = 7;

/** Turns an error of the client into one of the product. Every unknown error counts as the server being unavailable. */
export function fromClientError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const type = typeOf(error);
  if (type === 'access-denied') return new AppError('unexpected', [], { message: denial(error), cause: error });
  if (type === 'maximum-append-size-exceeded') return new AppError('too_large', [], { cause: error });
  return new AppError('unavailable', [], {
    message: `EventStoreDB does not answer (${type})`,
    cause: error,
    retryAfter: 1,
  });
}

/** The client's name for what went wrong, such as `deadline-exceeded`. */
export function typeOf(error: unknown): string {
  const type: unknown = error instanceof Error ? Reflect.get(error, 'type') : undefined;
  return typeof type === 'string' ? type : 'unknown';
}

/** Of an append the client does not say whether the user is unknown or may not write. */
function denial(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === unauthenticated) return 'EventStoreDB does not accept the user and password of EVENTSTORE_URL';
  if (code === permissionDenied)
    return 'EventStoreDB denies access: the user of EVENTSTORE_URL must be a member of $admins';
  return 'EventStoreDB denies access: the user and password of EVENTSTORE_URL must be right, and the user a member of $admins';
}

/** Whether EventStoreDB refused the user. The same works later, when the user has been given what it needs. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof AppError && typeOf(error.cause) === 'access-denied';
}
