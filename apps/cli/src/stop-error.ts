import { exitCodes } from './exit-codes.js';

/** Ends a command. `message` is the one line that is shown, and `code` the exit code of the process. */
export class StopError extends Error {
  readonly code: number;

  constructor(message: string, cause?: unknown, code: number = exitCodes.failed) {
    super(message, { cause });
    this.name = 'StopError';
    this.code = code;
  }
}
