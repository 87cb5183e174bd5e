import { BlobError } from '@scriptorium/blobs';
import { AppError } from '@scriptorium/contracts';

/** The refusal for an error of the store of bytes: without it nothing works now, but the request may be sent again. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof BlobError)) return error;
  switch (error.code) {
    case 'store_failed':
      return new AppError('unavailable', [], {
        message: 'The store of files does not answer, try again',
        cause: error,
        retryAfter: 5,
      });
    case 'interrupted':
      return new AppError('request_timeout', [], { message: 'The bytes did not arrive to their end', cause: error });
    case 'too_large':
      return new AppError('too_large', [{ path: 'body', message: error.message }], { cause: error });
    case 'invalid':
    case 'damaged':
      return new AppError('unexpected', [], { cause: error });
  }
}

/** What `work` gives; errors of the store become refusals. */
export async function withRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}
