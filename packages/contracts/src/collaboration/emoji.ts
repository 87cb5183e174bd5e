import * as z from 'zod';

/**
 * Emojis as Unicode recommends them. Made at run time, since the flag `v` is newer than the syntax that is written
 * here.
 */
const emoji = new RegExp('^\\p{RGI_Emoji}$', 'v');
const codePoints = /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i;
/** Asks for the coloured form of a character that is a plain one, too. */
const emojiForm = '\u{fe0f}';

/**
 * The code points of a single emoji, in lower-case hexadecimal and joined by `-`; `undefined` for anything else. It is
 * given as a character or by its code points.
 */
export function emojiCode(given: string): string | undefined {
  const text = codePoints.test(given) ? fromCode(given) : given;
  if (text === undefined) return undefined;
  const found = [text, `${text}${emojiForm}`].find((candidate) => emoji.test(candidate));
  return found === undefined ? undefined : codeOf(found);
}

function fromCode(code: string): string | undefined {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}

function codeOf(text: string): string {
  return [...text].map((character) => (character.codePointAt(0) ?? 0).toString(16)).join('-');
}

/** An emoji in a request. */
export const ReactionEmoji = z
  .string()
  .max(100)
  .refine((given) => emojiCode(given) !== undefined, 'Must be a single emoji, or its code points in hexadecimal')
  .meta({ description: 'One emoji: the character, or its code points in hexadecimal, joined by `-`.' });
