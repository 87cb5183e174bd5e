import { describe, expect, it } from '@jest/globals';
import { parameters } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { languageOf } from './language.js';
import { cut, folded, normalised } from './normalise.js';
import { contentWords, mostTerms, termsOf } from './terms-of.js';
import { wordsOf } from './words-of.js';

const stems = (text: string, language: string) => contentWords(text, language).map(({ stem }) => stem);

describe('words', () => {
  it('are found in scripts with and without blanks', () => {
    expect(wordsOf("The card isn't here: top-up failed (again).", 'en').map(({ text }) => text)).toEqual([
      'the',
      'card',
      "isn't",
      'here',
      'top',
      'up',
      'failed',
      'again',
    ]);
    expect(wordsOf('我的银行卡还没有到', 'zh').map(({ text }) => text)).toContain('银行');
    expect(wordsOf('ฉันเข้าสู่ระบบไม่ได้', 'th').length).toBeGreaterThan(2);
    expect(wordsOf('カードが届きません', 'ja').map(({ text }) => text)).toContain('カード');
    expect(wordsOf('لا أستطيع تسجيل الدخول', 'ar').length).toBe(4);
  });

  it('stand where they say', () => {
    const text = 'Die Überweisung ist weg';
    for (const { written, start, end } of wordsOf(text, 'de')) expect(text.slice(start, end)).toBe(written);
  });

  it('have one form for what can be written in several', () => {
    expect([normalised('ＰＩＮ'), normalised('don’t'), folded('café'), folded('straße')]).toEqual([
      'pin',
      "don't",
      'cafe',
      'strasse',
    ]);
  });

  it('leave long numbers and everything that is no word out', () => {
    expect(wordsOf('404 1234567 😀 — … 12.50', 'en').map(({ text }) => text)).toEqual(['404']);
  });

  it('are bounded in number and length', () => {
    expect(wordsOf('ab '.repeat(30_000), 'en').length).toBe(2_000);
    expect(wordsOf('x'.repeat(60_000), 'en')[0]?.text.length).toBe(48);
    expect(termsOf(Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(' '), 'en').counts.length).toBe(mostTerms);
  });

  it('are never cut within a character', () => {
    expect(cut('a😀', 2)).toBe('a');
    expect(cut('a😀', 3)).toBe('a😀');
    expect(cut('a\ud83d', 3)).toBe('a\ufffd');
  });
});

describe('terms', () => {
  it('are the same for forms of a word', () => {
    expect(stems('The exchange rates', 'en')).toEqual(stems('an exchange rate', 'en'));
    expect(stems('Meine Überweisungen', 'de')).toEqual(stems('eine Überweisung', 'de'));
    expect(stems('cobraron dos pagos', 'es')).toContain(stems('pago', 'es')[0]);
    expect(stems("my card's chip", 'en')).toEqual(['card', 'chip']);
  });

  it('are words and pairs with their counts', () => {
    expect(termsOf('Please help: the exchange rate of my exchange is wrong', 'en')).toEqual({
      language: 'en',
      counts: [
        ['exchang', 2],
        ['rate', 1],
        ['exchang rate', 1],
        ['rate exchang', 1],
        ['wrong', 1],
        ['exchang wrong', 1],
      ],
    });
  });

  it('are none where nothing is said', () => {
    expect(termsOf('Hi, thanks! 😀', 'en').counts).toEqual([]);
    expect(termsOf('', 'und').counts).toEqual([]);
  });

  it('are made of any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom('en', 'th', 'xx', ''),
        (text, language) => {
          const { counts } = termsOf(text, language);
          expect(counts.every(([term, count]) => term !== '' && count > 0)).toBe(true);
          expect(new Set(counts.map(([term]) => term)).size).toBe(counts.length);
        },
      ),
      parameters(300),
    );
  });
});

describe('the language of a text', () => {
  it.each([
    ['en', 'I still have not received my new card, I ordered it over a week ago.'],
    ['de', 'Ich habe meine neue Karte noch nicht bekommen, obwohl ich sie bestellt habe.'],
    ['fr', "Je n'ai toujours pas reçu ma nouvelle carte que j'ai commandée la semaine dernière."],
    ['es', 'Todavía no he recibido mi nueva tarjeta que pedí hace más de una semana.'],
    ['it', 'Non ho ancora ricevuto la mia nuova carta che ho ordinato una settimana fa.'],
    ['pt', 'Ainda não recebi o meu novo cartão que encomendei há mais de uma semana.'],
    ['nl', 'Ik heb mijn nieuwe kaart nog steeds niet ontvangen, ik heb hem vorige week besteld.'],
    ['sv', 'Jag har fortfarande inte fått mitt nya kort som jag beställde för en vecka sedan.'],
    ['ru', 'Я заказал карту больше недели назад, но её всё ещё нет, что мне делать?'],
    ['uk', 'Я досі не отримав нову картку, яку замовив більше тижня тому, що мені робити?'],
    ['tr', 'Bir haftadan uzun süre önce sipariş ettiğim yeni kartım hala elime ulaşmadı.'],
    ['pl', 'Nadal nie otrzymałem mojej nowej karty, którą zamówiłem ponad tydzień temu.'],
    ['zh', '我的银行卡还没有到'],
    ['ja', '新しいカードがまだ届きません'],
    ['ko', '새 카드를 아직 받지 못했습니다'],
    ['th', 'ฉันยังไม่ได้รับบัตรใหม่'],
    ['ar', 'لم أستلم بطاقتي الجديدة حتى الآن على الرغم من أنني طلبتها'],
    ['el', 'Δεν έχω λάβει ακόμα τη νέα μου κάρτα'],
    ['hi', 'मुझे अभी तक अपना नया कार्ड नहीं मिला है जो मैंने पिछले हफ्ते मंगवाया था'],
  ])('is %s for %j', (language, text) => expect(languageOf(text, 'en')).toBe(language));

  it('is what is expected for short texts and texts without letters', () => {
    expect([languageOf('Karte weg', 'en'), languageOf('123 😀', 'de'), languageOf('', 'fr')]).toEqual([
      'en',
      'de',
      'fr',
    ]);
  });
});
