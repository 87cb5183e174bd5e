import { describe, expect, it } from '@jest/globals';
import { page } from '../test/document.js';
import { embeddedOrigins } from './embeds.js';

const shown = (url: string, ...embedHosts: string[]): string => page(`{% embed url="${url}" %}`, { embedHosts });

describe('what is embedded', () => {
  it('is led to by a card, unless the site allows its host', () => {
    const card = shown('https://www.youtube.com/watch?v=abcdefghijk');
    expect(card).not.toContain('<iframe');
    expect(card).toContain('<a href="https://www.youtube.com/watch?v=abcdefghijk" rel="noopener noreferrer">');
    expect(card).toContain('www.youtube.com</small>');
  });

  it.each([
    ['https://www.youtube.com/watch?v=abcdefghijk', 'https://www.youtube-nocookie.com/embed/abcdefghijk'],
    ['https://youtu.be/abcdefghijk?t=3', 'https://www.youtube-nocookie.com/embed/abcdefghijk'],
    ['https://vimeo.com/123456789', 'https://player.vimeo.com/video/123456789'],
    ['https://maps.example.org/a?b=1', 'https://maps.example.org/a?b=1'],
  ])('is there where the site allows the host of %s', (url, source) => {
    const { hostname } = new URL(url);
    const html = shown(url, hostname);
    expect(html).toContain(`<iframe src="${source}" title="${hostname}" loading="lazy"`);
    expect(embeddedOrigins([hostname])).toEqual([new URL(source).origin]);
  });

  it('is never there without encryption, from another port or host, or from what is no video', () => {
    for (const url of [
      'http://maps.example.org/a',
      'https://maps.example.org:8443/a',
      'https://maps.example.org.evil.example/',
      'https://www.youtube.com/watch?v=%22%3E',
    ])
      expect(shown(url, 'maps.example.org', 'www.youtube.com')).not.toContain('<iframe');
  });
});
