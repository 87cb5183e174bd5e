import { emojiOf } from '@scriptorium/rich-text/reading';

/** What stands for a site that has neither an icon nor an emoji: a book. */
const bookCode = '1f4d8';

/** Where an emoji is served as an icon, below the address of a site. `code`: its code points. */
export function iconPath(code = bookCode): string {
  const given = code.toLowerCase();
  return `~reader/icon-${form.test(given) ? given : bookCode}.svg`;
}

const form = /^[\da-f]{2,6}(?:-[\da-f]{2,6}){0,9}$/;

/** An icon by the end of its address; `undefined` for one that there is not. */
export function iconAt(name: string): string | undefined {
  const [, code = ''] = /^~reader\/icon-([\da-f-]+)\.svg$/.exec(name) ?? [];
  const emoji = form.test(code) ? emojiOf(code) : '';
  if (!/^[^<>&"']+$/.test(emoji)) return undefined;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text x="50" y="50" dy=".36em" font-size="88" text-anchor="middle">${emoji}</text></svg>`;
}
