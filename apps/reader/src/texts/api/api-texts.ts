import { apiAr } from './ar.js';
import { apiDe } from './de.js';
import { apiEn, type ApiTexts } from './en.js';
import { apiEs } from './es.js';
import { apiFr } from './fr.js';
import { apiJa } from './ja.js';
import { apiKo } from './ko.js';
import { apiNl } from './nl.js';
import { apiNo } from './no.js';
import { apiPtBr } from './pt-br.js';
import { apiRu } from './ru.js';
import { apiZh } from './zh.js';

export type { ApiTexts } from './en.js';

const tables: Readonly<Record<string, ApiTexts>> = {
  ar: apiAr,
  de: apiDe,
  en: apiEn,
  es: apiEs,
  fr: apiFr,
  ja: apiJa,
  ko: apiKo,
  nl: apiNl,
  no: apiNo,
  'pt-br': apiPtBr,
  ru: apiRu,
  zh: apiZh,
};

/** What cards of operations say in a language; in English for one that pages do not speak. */
export function apiTextsOf(locale: string): ApiTexts {
  return Object.hasOwn(tables, locale) ? (tables[locale] ?? apiEn) : apiEn;
}
