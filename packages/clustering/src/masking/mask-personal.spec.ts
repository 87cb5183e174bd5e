import { describe, expect, it } from '@jest/globals';
import { parameters } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { harmless, personal } from '../test/personal.js';
import { harmlessForms, personalForms } from '../test/personal-forms.js';
import { longestMasked, maskPersonal, withoutMarks } from './mask-personal.js';

const all = [...personal, ...personalForms];

describe('masking', () => {
  it('has a corpus of 200 strings', () => expect(personal.length).toBeGreaterThanOrEqual(200));

  it.each(all)('takes the secret from %j', (text, secret) => {
    expect(text).toContain(secret);
    expect(maskPersonal(text)).not.toContain(secret);
    expect(maskPersonal(text)).toMatch(/\[[a-z…-]+\]/u);
  });

  it.each([...harmless, ...harmlessForms])('leaves %j as it is', (text) => expect(maskPersonal(text)).toBe(text));

  it.each(all)('changes %j no further when it is repeated', (text) => {
    const masked = maskPersonal(text);
    expect(maskPersonal(masked)).toBe(masked);
  });

  it('keeps the words around what it takes', () => {
    expect(maskPersonal('Card 4111 1111 1111 1111 12/27 of ann@example.org was declined')).toBe(
      'Card [card] 12/27 of [e-mail] was declined',
    );
    expect(maskPersonal('IBAN DE89 3704 0044 0532 0130 00 and nothing comes')).toBe('IBAN [account] and nothing comes');
    expect(maskPersonal('GET https://u:p@example.org/a/b?token=1#x fails')).toBe(
      'GET https://[user]@example.org/a/b?[…] fails',
    );
    expect(maskPersonal('my password is hunter2, why?')).toBe('my password is [secret], why?');
  });

  it('keeps what it leaves as it is written', () => {
    expect(maskPersonal('カード４１１１ １１１１ １１１１ １１１１ は２回')).toBe('カード[card] は２回');
    expect(maskPersonal('“４１１１－１１１１－１１１１－１１１１” – ２ 回')).toBe('“[card]” – ２ 回');
    expect(maskPersonal('https://ａｎｎ＠example.org/ａ–ｂ?ｔ=1 – fails')).toBe(
      'https://[user]＠example.org/ａ–ｂ?[…] – fails',
    );
  });

  it('finds a secret wherever it stands in a text', () => {
    const secret = fc.constantFrom('ann@example.org', '4111 1111 1111 1111', '+49 30 901820', '203.0.113.7');
    const word = fc.constantFrom('why', 'is', '', 'the', '-', 'card', '“', 'ok,', '\n');
    fc.assert(
      fc.property(fc.array(word), secret, fc.array(word), (before, found, after) => {
        expect(maskPersonal([...before, found, ...after].join(' '))).not.toContain(found);
      }),
      parameters(300),
    );
  });

  it('takes any text, and gives no more than its bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(maskPersonal(text).isWellFormed()).toBe(true);
      }),
      parameters(300),
    );
    expect(maskPersonal('ab '.repeat(longestMasked)).length).toBeLessThanOrEqual(longestMasked);
  });

  it('gives the text without its marks', () => {
    expect(withoutMarks(maskPersonal('mail of ann@example.org'))).toBe('mail of  ');
  });
});
