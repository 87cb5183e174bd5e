import { readFile } from 'node:fs/promises';
import { compile } from '@scriptorium/openapi';
import { exitCodes } from '../exit-codes.js';
import { StopError } from '../stop-error.js';
import { problemLines } from './problems.js';

/**
 * `scriptorium openapi check`: prints the problems of a file as an installation would find them. Documents that it
 * refers to are not read.
 * @throws StopError when there is no file, and when it cannot be read
 */
export async function checkCommand({ file, write }: { file: string; write: (text: string) => void }): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StopError(`${file} cannot be read`, error);
  });
  const result = await compile(text);
  const { items, count } = result.problems;
  write(problemLines(file, items, count));
  if (!result.isReadable)
    throw new StopError(`${file} is no specification that can be read`, undefined, exitCodes.problems);
  write(`${file}: ${result.operations} operations, ${result.schemas} schemas, ${count} problems\n`);
}
