/** What ends a command: `message` is the one line that is shown, the process then exits with `failed`. */
export class StopError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StopError';
  }
}
