import type { Out } from './writer.js';

/** Names that MongoDB gives to the codes this server sends. */
const NAMES: Readonly<Record<number, string>> = {
  2: 'BadValue',
  4: 'NoSuchKey',
  8: 'UnknownError',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  13: 'Unauthorized',
  16: 'InvalidLength',
  17: 'ProtocolError',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  96: 'OperationFailed',
  76: 'NoReplicationEnabled',
  115: 'CommandNotSupported',
  123: 'NotAReplicaSet',
  168: 'InvalidPipelineOperator',
  175: 'QueryPlanKilled',
  197: 'InvalidIndexSpecificationOption',
  238: 'NotImplemented',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  322: 'APIVersionError',
  334: 'MechanismUnavailable',
  352: 'UnsupportedOpQueryCommand',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
  17280: 'KeyTooLong',
  40413: 'IDLDuplicateField',
  40414: 'IDLFailedToParse',
  40415: 'IDLUnknownField',
};

/** An error as the client sees it: MongoDB's code, its message and, for some codes, further fields of the reply. */
export class ServerError extends Error {
  readonly code: number;
  readonly extra: Readonly<Record<string, Out>>;

  constructor(code: number, message: string, extra: Record<string, Out> = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }

  get codeName(): string {
    return codeName(this.code);
  }
}

/** MongoDB's name of a code; codes without a name are called after themselves. */
export const codeName = (code: number): string => NAMES[code] ?? `Location${code}`;

export const badValue = (message: string): ServerError => new ServerError(2, message);
export const failedToParse = (message: string): ServerError => new ServerError(9, message);
export const typeMismatch = (message: string): ServerError => new ServerError(14, message);

/** What an unexpected failure becomes: never a stack trace on the wire. */
export function asServerError(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left|MDB_MAP_FULL/i.test(text)) return new ServerError(14031, 'No space left on device');
  return new ServerError(8, `UnknownError: ${text}`);
}
