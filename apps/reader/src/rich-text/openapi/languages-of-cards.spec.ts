import { beforeAll, describe, expect, it } from '@jest/globals';
import { cardsIn, operationBlock, packOf, schemasBlock } from '../../test/api-blocks.js';
import { forge } from '../../test/forge.js';
import { apiTextsOf } from '../../texts/api/api-texts.js';
import { locales } from '../../texts/texts.js';
import type { Block } from '@scriptorium/rich-text';

/** What is said around what is put in. */
const partsOf = (text: string): string[] => text.split(/\{\w+\}/).filter((part) => part.trim().length > 2);

describe('the cards of operations in other languages', () => {
  let blocks: Block[];
  let inEnglish: string;
  beforeAll(async () => {
    const pack = await packOf(forge);
    blocks = [operationBlock(pack, 'post', '/orgs/{org}/repos/{repo_name}'), schemasBlock(pack, 'new-repository')];
    inEnglish = cardsIn('en', ...blocks);
  });

  it.each(locales.filter((locale) => locale !== 'en'))('say all that they say in English in %s', (locale) => {
    const html = cardsIn(locale, ...blocks);
    const english: Readonly<Record<string, string>> = apiTextsOf('en');
    const own: Readonly<Record<string, string>> = apiTextsOf(locale);
    const said = Object.keys(english).filter((name) => inEnglish.includes(`>${english[name] ?? ''}<`));
    expect(said.length).toBeGreaterThan(12);
    for (const name of said) expect(html).toContain(`>${own[name] ?? ''}<`);
    for (const name of ['isDeprecated', 'keyInHeader', 'between', 'noItemTwice', 'byDefault', 'truncated'])
      for (const part of partsOf(english[name] ?? '').filter((one) => !partsOf(own[name] ?? '').includes(one)))
        expect([part, html.includes(`${part}<`)]).toEqual([part, false]);
  });

  it('put values where the language has them', () => {
    expect(cardsIn('de', ...blocks)).toMatch(/mindestens 1, höchstens 100 Zeichen, entspricht <code>/);
    expect(cardsIn('ja', ...blocks)).toMatch(/1 文字以上 100 文字以下, <code>[^<]*<\/code> に一致/);
    expect(cardsIn('ru', ...blocks)).toMatch(/число символов: не менее 1, не более 100/);
    expect(cardsIn('de', ...blocks)).toContain('Diese Operation ist veraltet und entfällt am 5. Dezember 2027.');
  });
});
