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

/** The share of letters, 0 to 1, that stand in the script of a language; `undefined` when nothing can be said. */
export function shareOfScript(text: string, language: string): number | undefined {
  const letters = (text.match(/\p{L}/gu) ?? []).length;
  const script = SCRIPTS[scriptOf(language)];
  return script === undefined || letters === 0 ? undefined : (text.match(script) ?? []).length / letters;
}
