import { exitCodes } from './exit-codes.js';

/** What ends a command: `message` is the one line that is shown, the process then exits with `code`. */
export class StopError extends Error {
  readonly code: number;

  constructor(message: string, cause?: unknown, code: number = exitCodes.failed) {
    super(message, { cause });
    this.name = 'StopError';
    this.code = code;
  }
}
