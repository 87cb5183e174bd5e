import { AppError } from '@scriptorium/contracts';
import { StopError } from '../stop-error.js';

/** Throws what the installation has refused as one line for people; what is a defect is thrown as it is. */
export function explain(error: unknown): never {
  if (error instanceof AppError) {
    const details = error.details.map(({ path, message }) => ` (${path}: ${message})`).join('');
    throw new StopError(`the installation refused: ${error.message}${details}`);
  }
  if (error instanceof TypeError) throw new StopError(`the installation does not answer: ${error.message}`);
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new StopError('the installation does not answer in time');
  throw error;
}
