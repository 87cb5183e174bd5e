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

  it('needs no styles of its own, which pages would not be allowed', () => {
    for (const name of ['rocket', 'gear', 'no-such-icon']) expect(written(name)).not.toMatch(/style=|<script|href/);
  });
});
