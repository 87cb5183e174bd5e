import { ConfigError } from '@scriptorium/platform/config';
import { masked } from './command-line/mask.js';
import { shownOn } from './command-line/visible.js';
import { exitCodes } from './exit-codes.js';
import { createProgram } from './program.js';
import { StopError } from './stop-error.js';

/**
 * The `scriptorium` command. It ends the process: with 0, or after one line with the reason with a code of `exitCodes`.
 * `listening` is called when the command itself handles signals.
 */
export async function main(argv: readonly string[], listening: () => void = () => undefined): Promise<void> {
  const complain = (text: string) => void process.stderr.write(shownOn(process.stderr, masked(text, argv)));
  try {
    await createProgram(listening, complain).parseAsync(argv);
    process.exit(exitCodes.ended);
  } catch (error) {
    const known = error instanceof StopError || error instanceof ConfigError;
    complain(`scriptorium: ${known ? error.message : describe(error)}\n`);
    const code = error instanceof StopError ? error.code : exitCodes.failed;
    process.exit(error instanceof ConfigError ? exitCodes.setting : code);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
