import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { ja } from './ja.js';
import { ko } from './ko.js';
import { nl } from './nl.js';
import { no } from './no.js';
import { ptBr } from './pt-br.js';
import { ru } from './ru.js';
import { zh } from './zh.js';

export type { Texts } from './en.js';

const tables: Readonly<Record<string, Texts>> = { ar, de, en, es, fr, ja, ko, nl, no, 'pt-br': ptBr, ru, zh };

/** The languages that pages speak. */
export const locales = Object.keys(tables);

/** The texts of a language; those in English for one that pages do not speak. */
export function textsOf(locale: string): Texts {
  return Object.hasOwn(tables, locale) ? (tables[locale] ?? en) : en;
}

/** The first language that somebody reads and pages speak, as `Accept-Language` has it; else English. */
export function localeFor(languages: string): string {
  for (const part of languages.split(',', 20)) {
    const tag = (part.split(';')[0] ?? '').trim().toLowerCase();
    const [language = ''] = tag.split('-');
    const found = [tag, language === 'pt' ? 'pt-br' : language === 'nb' || language === 'nn' ? 'no' : language];
    const known = found.find((one) => Object.hasOwn(tables, one));
    if (known !== undefined) return known;
  }
  return 'en';
}

/** A text with what is put in. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** In which direction a language is written. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr';
}
