import { createContext, Script } from 'node:vm';

const LIMIT_MS = 100;
/** For a text whose time went by while the machine did something else. */
const PATIENT_MS = 2_000;
/** V8 lays each of them out both ways before a test begins, which nothing interrupts. */
const MOST_OPTIONAL = 30;
const OPTIONAL = /(?<![\\(*+?}])\?/g;
const SHORT = 10_000;
/**
 * Where a matcher may have to come back to: quantifiers, alternatives, and references, which read a part again. The `?`
 * of `(?:` is none.
 */
const CHOICE = /(?<!\\)(?:\\\\)*(?:[*+{|]|(?<!\()\?|\\[1-9k])/g;

const scope: { regex: RegExp; text: string } = { regex: /(?:)/, text: '' };
const context = createContext(scope);
const script = new Script('regex.test(text)');

/**
 * Tests texts against a regular expression that somebody else wrote, each for at most 100 ms. Only what can take long,
 * more than one choice or a long text, is watched: that costs about 0.1 ms a text.
 * @throws what `tooLong` gives when a text takes longer, or at once for more than 30 optional parts
 */
export function boundedTest(regex: RegExp, tooLong: () => Error): (text: string) => boolean {
  if ((regex.source.match(OPTIONAL)?.length ?? 0) > MOST_OPTIONAL) throw tooLong();
  const choices = regex.source.match(CHOICE)?.length ?? 0;
  const harmless = (text: string): boolean => choices === 0 || (choices === 1 && text.length <= SHORT);
  return (text) => (harmless(text) ? regex.test(text) : watchedTest(regex, text, tooLong));
}

function watchedTest(regex: RegExp, text: string, tooLong: () => Error): boolean {
  scope.regex = regex;
  scope.text = text;
  const before = process.cpuUsage();
  try {
    return within(LIMIT_MS) ?? (usedSince(before) < LIMIT_MS / 2 ? within(PATIENT_MS) : undefined) ?? fail(tooLong());
  } finally {
    scope.text = '';
  }
}

/** Whether the text matches; undefined when that takes longer. */
function within(timeout: number): boolean | undefined {
  try {
    return script.runInContext(context, { timeout }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}

function usedSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function fail(error: Error): never {
  throw error;
}
