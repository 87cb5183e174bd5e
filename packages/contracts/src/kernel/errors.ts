/**
 * The reasons for which a request can be refused, each with its HTTP status. The reason is the stable name by which
 * clients and other processes recognise a refusal.
 */
export const reasonStatus = {
  invalid_request: 400,
  position_invalid: 400,
  default_content_invalid: 400,
  email_domain_not_allowed: 400,
  adaptive_schema_invalid: 400,
  condition_invalid: 400,
  unauthenticated: 401,
  visitor_auth_required: 401,
  forbidden: 403,
  sso_required: 403,
  space_locked: 403,
  space_read_only: 403,
  not_found: 404,
  organization_not_found: 404,
  adaptive_schema_missing: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_exists: 409,
  already_installed: 409,
  ai_disabled: 409,
  change_request_merged: 409,
  conflict: 409,
  idempotency_in_progress: 409,
  import_empty: 409,
  last_admin: 409,
  limit_reached: 409,
  name_taken: 409,
  no_change: 409,
  selected_by_all: 409,
  sso_in_use: 409,
  sso_unavailable: 409,
  gone: 410,
  cannot_move: 412,
  merge_rules_failed: 412,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  configuration_invalid: 422,
  content_change_invalid: 422,
  field_not_taken: 422,
  idempotency_key_reused: 422,
  history_too_long: 422,
  rate_limited: 429,
  headers_too_large: 431,
  unexpected: 500,
  bad_gateway: 502,
  integration_failed: 502,
  script_blocked: 502,
  script_out_of_memory: 502,
  unavailable: 503,
  runtime_unavailable: 503,
  integration_resting: 503,
  integration_timeout: 504,
} as const;

export type Reason = keyof typeof reasonStatus;

/** One invalid field. `path` has dots and begins with the part of the request (`body.title`, `query.limit`). */
export interface ErrorDetail {
  path: string;
  message: string;
}

const defaultMessage: Partial<Record<Reason, string>> = {
  unauthenticated: 'Authentication required',
  forbidden: 'You do not have permission to do this',
  not_found: 'Not found',
  unavailable: 'The service is unavailable, try again',
  unexpected: 'Unexpected error',
  conflict: 'The object was changed by others at the same time, try again',
  already_exists: 'Already exists',
  integration_failed: 'The script of the integration has failed',
  integration_timeout: 'The script of the integration did not answer in time',
  integration_resting: 'The script of the integration was ended too often, it rests for a while',
  script_blocked: 'The script of the integration was ended, since it blocked its process',
  script_out_of_memory: 'The script of the integration was ended, since it needed too much memory',
  runtime_unavailable: 'Scripts cannot be run now',
  already_installed: 'The integration is installed in this organization already',
  name_taken: 'Another integration has this name',
  selected_by_all: 'The installation selects all of them, so none can be taken out',
  precondition_failed: 'The object does not have the version in If-Match',
  last_admin: 'An organization must keep at least one admin who has accepted their membership',
  import_empty: 'There are no pages in what would replace the content; allow that to empty the space',
  no_change: 'Nothing would change',
  sso_in_use: 'The last active SAML provider is needed while single sign-on is enforced',
  email_domain_not_allowed: 'The organization does not admit the domain of your e-mail address',
  sso_required: 'The organization requires single sign-on',
  sso_unavailable: 'The organization has no active SAML provider',
  too_large: 'The request is too large',
  history_too_long: 'Too many events lead up to this moment to show the object',
  headers_too_large: 'The headers are too large',
  request_timeout: 'The request did not arrive in time',
};

export interface AppErrorOptions {
  message?: string;
  cause?: unknown;
  /** Seconds after which the client can try again; sent as `Retry-After`. */
  retryAfter?: number;
  /** The same request, with the same idempotency key, was refused before. */
  replayed?: boolean;
}

/** The only error type of the product. Other processes recognise it by its reason, never by its class. */
export class AppError extends Error {
  readonly reason: Reason;
  readonly details: readonly ErrorDetail[];
  readonly retryAfter: number | undefined;
  readonly replayed: boolean;

  constructor(reason: Reason, details: readonly ErrorDetail[] = [], options: AppErrorOptions = {}) {
    super(options.message ?? defaultMessage[reason] ?? reason.replaceAll('_', ' '), { cause: options.cause });
    this.name = 'AppError';
    this.reason = reason;
    this.details = details;
    this.retryAfter = options.retryAfter;
    this.replayed = options.replayed ?? false;
  }
}

/** Whether an error says no more than its reason does. */
export function hasDefaultMessage({ reason, message }: AppError): boolean {
  return message === (defaultMessage[reason] ?? reason.replaceAll('_', ' '));
}

/** Whether a text is a reason that this version knows. */
export function isReason(word: unknown): word is Reason {
  return typeof word === 'string' && Object.hasOwn(reasonStatus, word);
}

/** An error that one field of the request causes, with the message of the reason unless another is given. */
export function blaming(reason: Reason, path: string, message?: string): AppError {
  const error = new AppError(reason, [], message === undefined ? {} : { message });
  return new AppError(reason, [{ path, message: error.message }], { message: error.message });
}

/** @throws AppError `invalid_request` that names all invalid fields, if there are any */
export function requireNone(failed: readonly ErrorDetail[]): void {
  const [first] = failed;
  if (first !== undefined)
    throw new AppError('invalid_request', failed, { message: `${first.path}: ${first.message}` });
}

/** An `invalid_request` that names one field. */
export function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', [{ path, message }], { message: `${path}: ${message}` });
}
