import { createContext, Script } from 'node:vm';

const LIMIT_MS = 100;
const SHORT = 10_000;
const QUANTIFIER = /(?<!\\)(?:\\\\)*[*+{]/g;

const scope: { regex: RegExp; text: string } = { regex: /(?:)/, text: '' };
const context = createContext(scope);
const script = new Script('regex.test(text)');

/**
 * Tests texts against a regular expression that somebody else wrote, each for at most 100 ms. Only what can take long, more
 * than one quantifier or a long text, is watched: that costs about 0.1 ms a text.
 * @throws what `tooLong` gives when a text takes longer
 */
export function boundedTest(regex: RegExp, tooLong: () => Error): (text: string) => boolean {
  const quantifiers = regex.source.match(QUANTIFIER)?.length ?? 0;
  const harmless = (text: string): boolean => quantifiers === 0 || (quantifiers === 1 && text.length <= SHORT);
  return (text) => (harmless(text) ? regex.test(text) : watchedTest(regex, text, tooLong));
}

function watchedTest(regex: RegExp, text: string, tooLong: () => Error): boolean {
  scope.regex = regex;
  scope.text = text;
  try {
    return script.runInContext(context, { timeout: LIMIT_MS }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw tooLong();
    throw error;
  } finally {
    scope.text = '';
  }
}
