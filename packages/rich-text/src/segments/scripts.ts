/** The scripts in which a language is written, by the ISO 15924 code that `Intl` gives for it. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Latn: /\p{Script=Latin}/gu,
  Cyrl: /\p{Script=Cyrillic}/gu,
  Grek: /\p{Script=Greek}/gu,
  Arab: /\p{Script=Arabic}/gu,
  Hebr: /\p{Script=Hebrew}/gu,
  Deva: /\p{Script=Devanagari}/gu,
  Beng: /\p{Script=Bengali}/gu,
  Taml: /\p{Script=Tamil}/gu,
  Telu: /\p{Script=Telugu}/gu,
  Thai: /\p{Script=Thai}/gu,
  Geor: /\p{Script=Georgian}/gu,
  Armn: /\p{Script=Armenian}/gu,
  Hans: /\p{Script=Han}/gu,
  Hant: /\p{Script=Han}/gu,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu,
  Kore: /[\p{Script=Hangul}\p{Script=Han}]/gu,
};
/** Scripts of which one character says about as much as three letters. */
const DENSE: ReadonlySet<string> = new Set(['Hans', 'Hant', 'Jpan', 'Kore']);

/** The code of the script of a language; empty for one that is not known. */
export function scriptOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    return '';
  }
}

export const isDense = (language: string): boolean => DENSE.has(scriptOf(language));

/** How many letters one of a dense script counts for. */
const DENSITY = 3;
const WORDS = /[\p{L}\p{M}\p{Nd}]+/gu;

/**
 * Whether a translation stands in the script of a language for the most part; `true` when nothing can be said. Names
 * that the source has in another script may stay as they are: words with a capital letter.
 */
export function isInScript(source: string, target: string, language: string): boolean {
  const script = SCRIPTS[scriptOf(language)];
  if (script === undefined) return true;
  const said = new Set(source.match(WORDS) ?? []);
  const isName = (word: string): boolean => said.has(word) && /\p{Lu}/u.test(word);
  const count = (text: string, letter: RegExp): number => (text.match(letter) ?? []).length;
  const own = count(target, script);
  const words = (target.replace(script, ' ').match(WORDS) ?? []).filter((word) => !isName(word));
  const others = words.reduce((sum, word) => sum + count(word, /\p{L}/gu), 0);
  return own === 0 && others === 0 ? true : own * (isDense(language) ? DENSITY : 1) > others;
}
