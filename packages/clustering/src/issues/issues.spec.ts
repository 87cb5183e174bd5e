import { describe, expect, it } from '@jest/globals';
import { parameters } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { personal } from '../test/personal.js';
import { seedTable } from '../weights/seed-table.js';
import { weightsOf } from '../weights/weights.js';
import { cleanPart } from './clean.js';
import { issuesOf, mostIssues } from './issues-of.js';
import { sentencesOf, shortened } from './sentences.js';
import { longestSummary, longestTitle } from './title.js';

const options = { language: 'en', weights: weightsOf(seedTable()) };
const user = (text: string) => ({ role: 'user' as const, text });
const titles = (...texts: string[]) => issuesOf({ parts: texts.map(user) }, options).map(({ title }) => title);

describe('a cleaned part', () => {
  it('has no greeting, signature, quoted message or code', () => {
    const text = [
      'Hi support team,',
      '',
      'The **export** of [a space](https://example.org/x) fails.',
      '> it worked for me',
      '```js',
      ...Array.from({ length: 9 }, (_, line) => `call(${line});`),
      '```',
      'What now?',
      '',
      'Best regards,',
      'Ann Miller',
      'Example Ltd.',
    ].join('\r\n');
    expect(cleanPart(text)).toBe(
      'The export of a space fails.\ncall(0);\ncall(1);\ncall(2);\ncall(3);\ncall(4);\nWhat now?',
    );
  });

  it.each([
    ['It fails.\n\nOn Mon, 3 Nov 2025 at 10:11, Support wrote:\nDid you try again?', 'It fails.'],
    ['Es geht nicht.\n\nAm 3. November schrieb der Support:\nWirklich?', 'Es geht nicht.'],
    ['No funciona\n-----Original Message-----\nFrom: x', 'No funciona'],
    ['It fails\n-- \nAnn', 'It fails'],
    ['It fails.\nThanks!', 'It fails.'],
    ['Hello! Where is it?', 'Where is it?'],
    ['Bonjour, où est ma carte ?', 'où est ma carte ?'],
    ['Thanks for the fix, but it fails again', 'Thanks for the fix, but it fails again'],
    ['<p>It <b>fails</b></p>', 'It  fails'],
    ['# Broken\n- one\n- two', 'Broken\none\ntwo'],
  ])('is made of %j', (text, cleaned) => expect(cleanPart(text)).toBe(cleaned));

  it('keeps the first lines of a stack trace', () => {
    const trace = Array.from({ length: 30 }, (_, line) => `    at run (file.js:${line}:1)`);
    expect(cleanPart(['TypeError: x is undefined', ...trace, 'Why?'].join('\n')).split('\n').length).toBe(7);
  });
});

describe('the issues of a conversation', () => {
  it('are none for greetings, thanks, single words, pictures and other people', () => {
    for (const text of ['Hi!', 'Thanks a lot', 'refund', '😀 😀', '', 'ok', '> quoted text only', 'ann@example.org'])
      expect(titles(text)).toEqual([]);
    expect(issuesOf({ parts: [{ role: 'assistant', text: 'How can the export be repaired?' }] }, options)).toEqual([]);
    expect(issuesOf({ parts: [] }, options)).toEqual([]);
  });

  it('have the best of the first sentences as title', () => {
    expect(titles('I am new here. How do I export a whole space as markdown? It is for our archive.')).toEqual([
      'How do I export a whole space as markdown?',
    ]);
    expect(titles('Good morning. The invoice of last month shows the wrong amount.')).toEqual([
      'The invoice of last month shows the wrong amount.',
    ]);
  });

  it('are several where later parts are about something else', () => {
    const parts = [
      'The export of a space to markdown fails with an error.',
      'It says that the export of the space failed.',
      'By the way, where can our accountant download older invoices?',
      'ok',
      'And single sign-on rejects two colleagues from Berlin.',
      'Besides, dark mode makes tables and diagrams unreadable.',
    ];
    const issues = issuesOf({ parts: parts.map(user) }, options);
    expect(issues.map(({ title }) => title)).toEqual([parts[0], parts[2], parts[4]]);
    expect(issues[0]?.summary).toContain('It says that');
  });

  it('know the subject, unless it says nothing', () => {
    const body = [user('It does not work since yesterday.')];
    expect(issuesOf({ subject: 'Re: RE: Fwd: Webhook deliveries stopped', parts: body }, options)[0]?.title).toBe(
      'Webhook deliveries stopped',
    );
    expect(issuesOf({ subject: 'Re: hi', parts: body }, options)[0]?.title).toBe('It does not work since yesterday.');
  });

  it('are in the language of the conversation', () => {
    const [issue] = issuesOf(
      { parts: [user('Ich habe meine neue Karte noch nicht bekommen, obwohl ich sie bestellt habe.')] },
      options,
    );
    expect([issue?.language, issue?.terms.language]).toEqual(['de', 'de']);
    expect(issuesOf({ parts: [user('我的银行卡还没有到')] }, options)[0]?.language).toBe('zh');
  });

  it.each(personal)('never tell the secret of %j', (text, secret) => {
    const told = JSON.stringify(issuesOf({ subject: text, parts: [user(`Why is this refused? ${text}`)] }, options));
    expect(told).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it('are within their bounds for any text, and the same for the same text', () => {
    const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 800 }), fc.lorem({ maxCount: 30, mode: 'sentences' }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (texts) => {
        const conversation = { parts: texts.map(user) };
        const issues = issuesOf(conversation, options);
        expect(issues.length).toBeLessThanOrEqual(mostIssues);
        for (const { title, summary } of issues) {
          expect(title.length).toBeLessThanOrEqual(longestTitle);
          expect(summary.length).toBeLessThanOrEqual(longestSummary);
          expect((title + summary).isWellFormed()).toBe(true);
        }
        expect(issuesOf(conversation, options)).toEqual(issues);
      }),
      parameters(200),
    );
  });
});

describe('sentences', () => {
  it('end at marks and lines', () => {
    expect(sentencesOf('It fails. Why?\nNo idea\n\n 真的吗?是的。')).toEqual([
      'It fails.',
      'Why?',
      'No idea',
      '真的吗?',
      '是的。',
    ]);
  });

  it('are shortened after a word, and not within a mark or a character', () => {
    expect(shortened('one two three', 9)).toBe('one two…');
    expect(shortened('write to [e-mail] now', 14)).toBe('write to…');
    expect(shortened('😀😀😀', 4)).toBe('😀…');
    expect(shortened('one', 9)).toBe('one');
  });
});
