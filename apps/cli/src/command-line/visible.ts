/** Control characters but tab and line feed, and those that change the direction of writing. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * A text as a terminal may get it: what would move its cursor, change its title or reorder its characters stands there
 * as an escape (`\u{1b}`). Texts of an installation are those of many people.
 */
export function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** A text as a stream gets it: as it is, unless the stream is a terminal. */
export function shownOn({ isTTY }: { isTTY?: boolean }, text: string): string {
  return isTTY === true ? visible(text) : text;
}
