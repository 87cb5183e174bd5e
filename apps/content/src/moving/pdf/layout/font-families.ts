/** Families with Chinese characters, which look different in each language; the first that is there is used. */
const han = {
  ja: ['Noto Sans JP', 'Noto Sans CJK JP', 'Source Han Sans'],
  ko: ['Noto Sans KR', 'Noto Sans CJK KR', 'Source Han Sans K', 'Source Han Sans KR'],
  hk: ['Noto Sans HK', 'Noto Sans CJK HK', 'Source Han Sans HC', 'Source Han Sans HK'],
  tw: ['Noto Sans TC', 'Noto Sans CJK TC', 'Source Han Sans TC', 'Source Han Sans TW'],
  zh: ['Noto Sans SC', 'Noto Sans CJK SC', 'Source Han Sans SC', 'Source Han Sans CN'],
} as const;

export type Han = keyof typeof han;

/**
 * With whose characters a text is set: those of its language, else those of the letters that stand among them.
 * `scripts`: of the text.
 */
export function hanOf(language: string, scripts: readonly string[]): Han {
  if (/^ja(-|$)/i.test(language)) return 'ja';
  if (/^ko(-|$)/i.test(language)) return 'ko';
  if (/^zh(-hant)?-(hk|mo)(-|$)/i.test(language)) return 'hk';
  if (/^zh-(tw|hant)(-|$)/i.test(language)) return 'tw';
  if (/^zh(-|$)/i.test(language)) return 'zh';
  if (scripts.includes('Hira') || scripts.includes('Kana')) return 'ja';
  return scripts.includes('Hang') ? 'ko' : 'zh';
}

/**
 * The families that a text is set in, in the order in which they are tried. Without them the layout takes any font that
 * has a letter, also one with serifs that comes with it.
 */
export function familiesFor(whose: Han): string[] {
  const scripts = ['Arabic', 'Hebrew', 'Thai', 'Devanagari'].map((script) => `Noto Sans ${script}`);
  return [
    'Noto Sans',
    'IBM Plex Sans Arabic',
    ...scripts,
    ...new Set([...han[whose], ...Object.values(han).flat()]),
    'Noto Emoji',
  ];
}
