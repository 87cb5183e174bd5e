/** Scripts that have fonts of their own, as ISO 15924 names them, and how Unicode calls them. */
const known = {
  Arab: 'Arabic',
  Armn: 'Armenian',
  Beng: 'Bengali',
  Deva: 'Devanagari',
  Ethi: 'Ethiopic',
  Geor: 'Georgian',
  Gujr: 'Gujarati',
  Guru: 'Gurmukhi',
  Hang: 'Hangul',
  Hani: 'Han',
  Hebr: 'Hebrew',
  Hira: 'Hiragana',
  Kana: 'Katakana',
  Khmr: 'Khmer',
  Knda: 'Kannada',
  Laoo: 'Lao',
  Mlym: 'Malayalam',
  Mymr: 'Myanmar',
  Orya: 'Oriya',
  Sinh: 'Sinhala',
  Syrc: 'Syriac',
  Taml: 'Tamil',
  Telu: 'Telugu',
  Thaa: 'Thaana',
  Thai: 'Thai',
  Tibt: 'Tibetan',
} as const;

const patterns = Object.entries(known).map(
  ([name, script]) => [name, new RegExp(`\\p{Script=${script}}`, 'u')] as const,
);
const pictograph = /\p{Extended_Pictographic}/u;
/** Anything behind Latin, Greek and Cyrillic. */
const further = /[\u0530-\u1dff\u20d0-\u{10ffff}]/u;

/** The scripts of a text for which fonts are needed besides those for Latin, Greek and Cyrillic. `Zsye`: emoji. */
export function scriptsOf(text: string): string[] {
  if (!further.test(text)) return [];
  const found = patterns.filter(([, pattern]) => pattern.test(text)).map(([name]): string => name);
  return pictograph.test(text) ? [...found, 'Zsye'] : found;
}
