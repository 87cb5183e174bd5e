import { describe, expect, it } from '@jest/globals';
import { isLiteralSubject, isSystemSubject, isValidSubject } from './subject.js';
import { createSubscriptionIndex } from './subscriptions.js';

interface Named {
  readonly subject: string;
  readonly queue: string | undefined;
}

const index = (...patterns: string[]) => {
  const made = createSubscriptionIndex<Named>();
  const subscriptions = patterns.map((subject) => ({ subject, queue: undefined }));
  subscriptions.forEach((subscription) => made.add(subscription));
  return { made, subscriptions };
};
const matches = (made: ReturnType<typeof index>['made'], subject: string) =>
  made
    .match(subject)
    .flatMap((set) => [...set.plain].map((one) => one.subject))
    .sort();

/** The rule of the protocol, word for word: one token for `*`, one or more for a final `>`. */
function naive(pattern: string, subject: string): boolean {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  for (const [at, token] of wanted.entries()) {
    if (token === '>') return given.length > at;
    if (given[at] === undefined || (token !== '*' && token !== given[at])) return false;
  }
  return wanted.length === given.length;
}

describe('the index of subscriptions', () => {
  const tokens = ['a', 'b', 'c'];
  const wild = [...tokens, '*', '>'];
  const build = (alphabet: string[], depth: number): string[] =>
    depth === 0
      ? ['']
      : build(alphabet, depth - 1).flatMap((rest) => [
          '',
          ...alphabet.map((token) => (rest === '' ? token : `${token}.${rest}`)),
        ]);
  const patterns = [...new Set(build(wild, 3))].filter((pattern) => pattern !== '' && isValidSubject(pattern));
  const subjects = [...new Set(build(tokens, 4))].filter((subject) => subject !== '');

  it('finds for every subject exactly what the rule says', () => {
    const { made } = index(...patterns);
    for (const subject of subjects) {
      expect([subject, matches(made, subject)]).toEqual([
        subject,
        patterns.filter((pattern) => naive(pattern, subject)).sort(),
      ]);
    }
  });

  it('is empty again after every removal', () => {
    const { made, subscriptions } = index(...patterns);
    subscriptions.forEach((subscription) => made.remove(subscription));
    for (const subject of subjects) expect(made.match(subject)).toEqual([]);
  });

  it.each(['', '.', 'a.', '.a', 'a..b'])('finds nothing for the malformed subject "%s"', (subject) => {
    const { made } = index('>', '*', '*.*', 'a.*', '*.*.*');
    expect(matches(made, subject)).toEqual([]);
  });
});

describe('subjects', () => {
  it.each(['a', 'a.b', '*', '>', 'a.*', 'a.>', '*.a.>', 'a*', '>a', 'ä.b'])('%s may be subscribed to', (subject) => {
    expect(isValidSubject(subject)).toBe(true);
  });
  it.each(['', '.', 'a.', '.a', 'a..b', '>.a', 'a.>.b'])('"%s" may not', (subject) => {
    expect(isValidSubject(subject)).toBe(false);
  });
  it('wildcards are not published to, $SYS belongs to the server', () => {
    expect(['a.b', 'a*', '*', 'a.>', 'a..b'].map(isLiteralSubject)).toEqual([true, true, false, false, false]);
    expect(['$SYS', '$SYS.A', '$SYSTEM', 'a.$SYS'].map(isSystemSubject)).toEqual([true, true, false, false]);
  });
});
