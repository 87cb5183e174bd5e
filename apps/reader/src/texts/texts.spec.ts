import { describe, expect, it } from '@jest/globals';
import { SiteCustomization } from '@scriptorium/contracts';
import { apiTextsOf } from './api/api-texts.js';
import { directionOf, filled, locales, textsOf } from './texts.js';

const en = textsOf('en');
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\w+\}/g)].map(([name]) => name))].sort();
const tables = { pages: textsOf, 'cards of operations': apiTextsOf };
const cases = Object.entries(tables).flatMap(([name, of]) =>
  locales.filter((locale) => locale !== 'en').map((locale) => [name, locale, of] as const),
);

describe('the texts of pages', () => {
  it('are there in each language that a site can have', () => {
    const { options } = SiteCustomization.shape.internationalization.shape.locale;
    expect([...locales].sort()).toEqual([...options].sort());
    expect(locales).toHaveLength(12);
  });

  it.each(cases)('of %s are all there in %s, with the same to put in', (_name, locale, of) => {
    const [texts, english]: Readonly<Record<string, string>>[] = [of(locale), of('en')];
    expect(Object.keys(texts ?? {})).toEqual(Object.keys(english ?? {}));
    for (const [name, text] of Object.entries(texts ?? {})) {
      expect(text.trim()).not.toBe('');
      expect([name, placeholders(text)]).toEqual([name, placeholders(english?.[name] ?? '')]);
    }
    const same = Object.entries(texts ?? {}).filter(([name, text]) => text === english?.[name]);
    // Some words are the same in two languages.
    expect(same.length).toBeLessThan(10);
  });

  it('are those in English where a language is not known', () => {
    for (const unknown of ['xx', '', '__proto__', 'constructor']) {
      expect(textsOf(unknown)).toBe(en);
      expect(apiTextsOf(unknown)).toBe(apiTextsOf('en'));
    }
  });

  it('have what is put in, as it is', () => {
    expect(filled('{a} and {b} and {c}', { a: '{b}', b: 2 })).toBe('{b} and 2 and {c}');
  });

  it('are written from the right in some languages', () => {
    expect(['ar', 'he-IL', 'en', 'pt-br'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
  });
});
