import { invalid } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Call } from '@scriptorium/platform';
import type { judgePassword } from './strength.task.js';

/** Only the beginning of a longer password is judged: if it is hard to guess, so is the whole. */
const judgedLength = 40;
const knownLength = 100;
/** The lowest accepted score, of 0 to 4. A score of 3 means more than 10^8 guesses. */
const minScore = 3;
const answerReserveMs = 500;

const judgeTask = workerTask<typeof judgePassword>({
  name: 'judge_password',
  module: compiledModule('./strength.task.js', import.meta.url),
  run: 'judgePassword',
  withinMs: 5_000,
});

/**
 * Refuses a password that is easy to guess, by zxcvbn: dictionaries, names, keyboard patterns, dates and repetitions.
 * @param known texts about the person, such as the address and the name, which make a password easy to guess
 * @throws AppError `invalid_request` naming `path` when it is easy to guess, `unavailable` when there is no time to
 * judge it
 */
export async function requireStrength(
  { workers, deadline }: Pick<Call, 'workers' | 'deadline'>,
  password: string,
  known: readonly string[],
  path: string,
): Promise<void> {
  const input = {
    password: password.normalize('NFKC').slice(0, judgedLength),
    known: known.map((text) => text.slice(0, knownLength)),
  };
  const { score, advice } = await workers.run(judgeTask, input, { deadline: deadline - answerReserveMs });
  if (score < minScore) throw invalid(path, ['Is too easy to guess.', ...advice].join(' '));
}
