import { describe, expect, it } from '@jest/globals';
import { htmlText } from './document.js';
import { icon } from './icons.js';

const written = (...of: Parameters<typeof icon>): string => htmlText([icon(...of)]);

describe('an icon', () => {
  it('is a drawing, which is an ornament unless it says something', () => {
    expect(written('rocket')).toMatch(
      /^<span class="icon" aria-hidden="true"><svg viewBox="0 0 24 24"><g .*<path d="M12/,
    );
    expect(written('rocket', { label: 'rocket', color: 'text-blue' })).toMatch(
      /^<span class="icon text-blue" role="img" aria-label="rocket"><svg/,
    );
  });

  it('has the names of other collections, too', () => {
    expect(written('gear')).toBe(written('settings'));
    expect(written('magnifying-glass')).toBe(written('search'));
  });

  it('is the same for all unknown names, and never contains the name', () => {
    const unknown = written('no-such-icon');
    for (const name of ['', '__proto__', 'constructor', '"><script>']) expect(written(name)).toBe(unknown);
  });

  it('is known by the names of the free icons of Font Awesome, and by those of brands', () => {
    const unknown = written('no-such-icon');
    const names = [
      'github',
      'discord',
      'gauge-high',
      'x-twitter',
      'user-gear',
      'chart-line-up',
      'fa-solid fa-rocket',
      'bolt',
      'sitemap',
      'python',
      'docker',
      'slack',
      'house',
      'plug',
      'vial',
      'people-group',
      'money-bill',
      'address-card',
    ];
    expect(names.filter((name) => written(name) === unknown)).toEqual(['chart-line-up']);
    expect(written('github')).toContain('viewBox="0 0 ');
  });

  it('is filled where a site wants it so', () => {
    expect(written('rocket', { isSolid: true })).toMatch(/viewBox="0 0 512 512".*fill="currentColor"/);
    expect(written('rocket', { isSolid: true })).not.toBe(written('rocket'));
  });

  it('needs no styles of its own, which pages would not be allowed', () => {
    for (const name of ['rocket', 'gear', 'no-such-icon']) expect(written(name)).not.toMatch(/style=|<script|href/);
  });
});
