import {
  AppError,
  blaming,
  errorPath,
  hasDefaultMessage,
  notFoundMessage,
  statusOf,
  type Operation,
} from '@scriptorium/contracts';

/** A rendered error. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders an error in the documented shape. `op`: the operation that refuses, if there is one. */
export function renderError(error: AppError, requestId: string, op?: Operation): ErrorAnswer {
  const code = statusOf(op, error.reason);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    link: `<${errorPath(error.reason)}>; rel="help"`,
  };
  if (error.reason === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  if (error.replayed) headers['idempotency-replayed'] = 'true';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)));
  const details = error.details.length === 0 ? {} : { details: error.details };
  const body = { error: { code, message: messageOf(error, op), reason: error.reason, ...details, requestId } };
  return { status: code, headers, body: JSON.stringify(body) };
}

/** Services say that something is not there; which kind of thing it is, the path of the operation says. */
function messageOf(error: AppError, op: Operation | undefined): string {
  if (error.reason !== 'not_found' || op === undefined || !hasDefaultMessage(error)) return error.message;
  return notFoundMessage(op.path) ?? error.message;
}

const byCode: Record<string, (message: string) => AppError> = {
  FST_ERR_BAD_URL: (message) => blaming('invalid_request', 'url', message),
  FST_ERR_MAX_PARAM_LENGTH: (message) => blaming('invalid_request', 'url', message),
  FST_ERR_CTP_BODY_TOO_LARGE: () => blaming('too_large', 'body'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => blaming('unsupported_media_type', 'headers.content-type'),
  FST_ERR_CTP_EMPTY_TYPE: () => blaming('unsupported_media_type', 'headers.content-type'),
  FST_ERR_ROUTE_METHOD_NOT_SUPPORTED: () => new AppError('method_not_allowed'),
};

/**
 * The product's error for anything that was thrown while a request was handled. Errors of the HTTP framework get their
 * reason; everything else becomes `unexpected`, whose message tells nothing about the cause.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode, message } = describe(thrown);
  const known = byCode[code];
  if (known !== undefined) return known(message);
  if (statusCode >= 400 && statusCode < 500) return new AppError('invalid_request', [], { message, cause: thrown });
  return new AppError('unexpected', [], { cause: thrown });
}

function describe(thrown: unknown): { code: string; statusCode: number; message: string } {
  const { code, statusCode, message } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : 500,
    message: typeof message === 'string' ? message : 'Invalid request',
  };
}
