import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, segmentsOf } from '../index.js';
import { corpora } from '../test/corpora.js';
import { checkSegment, type CheckOptions, type SegmentProblem } from './check-segment.js';

const check = (source: string, target: string, options: Partial<CheckOptions> = {}): SegmentProblem[] =>
  checkSegment(source, target, { from: 'en', to: 'de', ...options });

/** A tagged text with a tag dropped, cut at either end, of another id, or twice. */
function mutations(text: string): string[] {
  const tags = [...text.matchAll(/<[^>]*>/g)].slice(0, 6);
  return tags.flatMap(({ 0: tag, index }) =>
    ['', tag.slice(1), tag.slice(0, -1), tag.replace(/\d+/, '999'), `${tag}${tag}`]
      .filter((other) => other !== tag)
      .map((other) => text.slice(0, index) + other + text.slice(index + tag.length)),
  );
}

describe('tags of a translation', () => {
  const source = 'Press <g id="1">Save <x id="2"/></g> and <x id="3"/>';

  it('may stand in another order', () => {
    expect(check(source, '<x id="3"/> und <g id="1"><x id="2"/> Sichern</g> drücken')).toEqual([]);
  });

  it('are all there, once each, inside the same tags, with words where words were', () => {
    const broken = [
      'Press <g id="1">Sichern <x id="2"/></g> und',
      'Press <g id="1">Sichern <x id="2"/></g> und <x id="3"/><x id="3"/>',
      'Press <g id="1">Sichern</g> <x id="2"/> und <x id="3"/>',
      'Press Sichern <g id="1"><x id="2"/></g> und <x id="3"/>',
      'Press <g id="1">Sichern <x id="2"/></g> und <g id="3">x</g>',
      'Press <g id="4">Sichern <x id="2"/></g> und <x id="3"/>',
    ];
    expect(broken.map((target) => check(source, target))).toEqual(broken.map(() => ['tags']));
  });

  it('nest, and are the only markup', () => {
    const broken = [
      '<g id="1">Sichern <x id="2"/> und <x id="3"/>',
      'Sichern</g> <g id="1"><x id="2"/> und <x id="3"/>',
      `${source}<script>alert(1)</script>`,
      `${source} a < b`,
    ];
    expect(broken.map((target) => check(source, target))).toEqual(broken.map(() => ['markup']));
  });

  it('do not stand in one another without end', () => {
    const nested = (depth: number) => '<g id="1">'.repeat(depth) + 'x' + '</g>'.repeat(depth);
    expect(check(`a${' b'.repeat(100_000)}`, nested(50_000))).toEqual(['markup']);
    expect(check(nested(90), nested(90), { isLanguage: false })).toEqual([]);
  });

  it('are refused after any change of one, in every document of this repository', () => {
    const options: CheckOptions = { from: 'en', to: 'en', isLanguage: false };
    const sources = corpora().flatMap(({ text }) =>
      segmentsOf(parseMarkdown(text, { context: 'page' }).document).map((segment) => segment.text),
    );
    for (const source of sources) expect(checkSegment(source, source, options)).toEqual([]);
    const broken = sources.flatMap((source) => mutations(source).map((target) => ({ source, target })));
    expect(broken.length).toBeGreaterThan(10_000);
    expect(broken.filter(({ source, target }) => checkSegment(source, target, options).length === 0)).toEqual([]);
  });
});

describe('words of a translation', () => {
  it('are not empty', () => {
    expect(check('Press <x id="1"/>', ' <x id="1"/> ')).toEqual(['empty']);
  });

  it('have the same numbers, however their digits are grouped or written', () => {
    expect(check('1,234 of 5.5', '1.234 von 5,5')).toEqual([]);
    expect(check('1,234 pages', '1 234 Seiten')).toEqual([]);
    expect(check('Wait 15 s', 'انتظر ١٥ ثانية', { to: 'ar' })).toEqual([]);
    expect(check('Wait 15 s', '१५ सेकंड', { to: 'hi' })).toEqual([]);
    expect(check('Wait 15 s', 'Warte 51 s')).toEqual(['numbers']);
    expect(check('Wait 15 s', 'Warte')).toEqual(['numbers']);
  });

  it('add no address and no placeholder', () => {
    expect(check('See it', 'Siehe https://example.org')).toEqual(['literals']);
    expect(check('See it', 'Siehe {{name}}')).toEqual(['literals']);
  });

  it('are about as long', () => {
    const sentence = 'The service keeps an index of pages in memory while it runs.';
    expect(check(sentence, 'Der Dienst')).toEqual(['length']);
    expect(check(sentence, 'Der Dienst hält den Index. '.repeat(20))).toEqual(['length']);
    expect(check(sentence, '服务在运行时将页面索引保存在内存中。', { to: 'zh' })).toEqual([]);
  });

  it('are not read when they are by far too long', () => {
    expect(check('Hi', '<'.repeat(2_000_000))).toEqual(['length']);
    expect(check('Hi', 'x'.repeat(100), { isLanguage: false })).toEqual([]);
  });

  it('stand in the script of the language', () => {
    const sentence = 'The service keeps an index of pages in memory.';
    expect(check(sentence, sentence, { to: 'ru' })).toEqual(['script']);
    expect(check(sentence, 'Сервис хранит индекс страниц в памяти.', { to: 'ru' })).toEqual([]);
    expect(check('Kubernetes', 'Kubernetes', { to: 'ru' })).toEqual([]);
  });

  it('may be names of another script', () => {
    const source = 'Use Kubernetes, TypeScript, PostgreSQL and ClickHouse';
    expect(check(source, '使用 Kubernetes、TypeScript、PostgreSQL 和 ClickHouse', { to: 'zh' })).toEqual([]);
    expect(check(source, 'Используйте Kubernetes, TypeScript, PostgreSQL и ClickHouse', { to: 'ru' })).toEqual([]);
    expect(check(source, source, { to: 'zh' })).toEqual(['script']);
    const sentence = 'The service keeps an index of all pages';
    expect(check(sentence, 'The service keeps an 索引 of all pages', { to: 'zh' })).toEqual(['script']);
    expect(check('GitHub Enterprise Server Cloud', 'GitHub Enterprise Server Cloud', { to: 'zh' })).toEqual([]);
  });

  it('have no line ends and control characters that their source does not have', () => {
    for (const character of ['\n', '\u0000', '\u0085', '\u2028', '\u202e', '\ud800'])
      expect(check('Save it', `Sichere${character} es`)).toEqual(['characters']);
    expect(check('Save\tit', 'Sichere\tes')).toEqual([]);
    expect(check('Save it', 'احفظ\u200f هذا', { to: 'ar' })).toEqual([]);
  });

  it('fit in their place', () => {
    expect(check('Settings', 'Einstellungen', { most: 13 })).toEqual([]);
    expect(check('Settings', 'Einstellungen', { most: 12 })).toEqual(['length']);
    expect(check('Settings', 'Settings!', { most: 8, isLanguage: false })).toEqual(['length']);
  });

  it('are no refusal', () => {
    expect(check('Delete the page for ever.', "I'm sorry, but I cannot do that.")).toEqual(['refusal']);
    expect(check('Say “I cannot help”.', 'Sage “I cannot help”.')).toEqual([]);
  });

  it('contain the terms of the glossary, as whole words in any form', () => {
    const terms = [
      { source: 'space', target: 'Bereich' },
      { source: 'Change Request', target: null },
    ];
    expect(check('Open the spaces', 'Öffne die Bereiche', { terms })).toEqual([]);
    expect(check('Open the space', 'Öffne den Raum', { terms })).toEqual(['glossary']);
    expect(check('Workspaces are open', 'Arbeitsplätze sind offen', { terms })).toEqual([]);
    expect(check('A change request', 'Ein Change Request', { terms })).toEqual([]);
    expect(check('A change request', 'Ein Änderungsantrag', { terms })).toEqual(['glossary']);
  });
});
