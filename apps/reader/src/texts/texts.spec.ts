import { describe, expect, it } from '@jest/globals';
import { SiteCustomization } from '@scriptorium/contracts';
import { directionOf, filled, locales, textsOf } from './texts.js';

const en = textsOf('en');
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('the texts of pages', () => {
  it('are there in each language that a site can have', () => {
    const { options } = SiteCustomization.shape.internationalization.shape.locale;
    expect([...locales].sort()).toEqual([...options].sort());
    expect(locales).toHaveLength(12);
  });

  it.each(locales.filter((locale) => locale !== 'en'))('are all there in %s, with the same to put in', (locale) => {
    const texts = textsOf(locale);
    expect(Object.keys(texts)).toEqual(Object.keys(en));
    for (const [name, text] of Object.entries(texts)) {
      expect(text.trim()).not.toBe('');
      expect([name, placeholders(text)]).toEqual([name, placeholders(en[name as keyof typeof en])]);
    }
    const same = Object.entries(texts).filter(([name, text]) => text === en[name as keyof typeof en]);
    // Some words are the same in two languages.
    expect(same.length).toBeLessThan(10);
  });

  it('are those in English where a language is not known', () => {
    for (const unknown of ['xx', '', '__proto__', 'constructor']) expect(textsOf(unknown)).toBe(en);
  });

  it('have what is put in, as it is', () => {
    expect(filled('{a} and {b} and {c}', { a: '{b}', b: 2 })).toBe('{b} and 2 and {c}');
  });

  it('are written from the right in some languages', () => {
    expect(['ar', 'he-IL', 'en', 'pt-br'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
  });
});
