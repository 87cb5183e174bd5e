import { describe, expect, it } from '@jest/globals';
import { htmlText } from '../rich-text/document.js';
import { markedText, wordsOf } from './marks.js';

const marked = (text: string, query: string): string => htmlText(markedText(text, wordsOf(query)));

describe('the words of a search', () => {
  it('are marked where a word of the text begins with one, whatever its case and accents', () => {
    expect(marked('Install it, reinstall, INSTALLED.', 'install')).toBe(
      '<mark>Install</mark> it, reinstall, <mark>INSTALLED</mark>.',
    );
    expect(marked('Ein Café im Süden', 'cafe süd')).toBe('Ein <mark>Café</mark> im <mark>Süden</mark>');
  });

  it('are marked where one letter differs, if they are long', () => {
    for (const typo of ['paragrahp', 'paragaph', 'paragraaph', 'parugraph'])
      expect(marked('A paragraph.', typo)).toBe('A <mark>paragraph</mark>.');
    expect(marked('A page.', 'pegs')).toBe('A page.');
    expect(marked('A paragraph.', 'pararaphs')).toBe('A paragraph.');
  });

  it('are marked within texts that have no spaces between words', () => {
    expect(marked('安装指南在这里', '指南')).toBe('安装<mark>指南</mark>在这里');
    expect(marked('安装的指南', '安装指南')).toBe('<mark>安装</mark>的<mark>指南</mark>');
  });

  it('never become markup, and leave the text as it is', () => {
    expect(marked('<b> & b', 'b')).toBe('&#x3C;<mark>b</mark>> &#x26; <mark>b</mark>');
    expect(marked('A text', '.*+ "')).toBe('A text');
    expect(marked('', 'word')).toBe('');
  });
});
