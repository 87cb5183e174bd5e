import { gemoji } from 'gemoji';
import { type Code, type Effects, type Extension, type State, type TokenizeContext } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    emoji: 'emoji';
  }
}

const COLON = 58;
const LONGEST = 60;
/** Shortcodes people use that the table spells differently. */
const byName = new Map<string, string>();
const byCode = new Map<string, string>();

/** Hexadecimal code points joined by `-`, without variation selectors, as the format stores an emoji. */
export function emojiCode(character: string): string {
  return Array.from(character, (part) => part.codePointAt(0) ?? 0)
    .filter((point) => point !== 0xfe0f)
    .map((point) => point.toString(16))
    .join('-');
}

for (const entry of gemoji) {
  const code = emojiCode(entry.emoji);
  for (const name of entry.names) byName.set(name, code);
  const [first] = entry.names;
  if (first !== undefined && !byCode.has(code)) byCode.set(code, first);
}

const characters = new Map(gemoji.map((entry) => [emojiCode(entry.emoji), entry.emoji]));

/** The code of `:name:`, or undefined for a name nobody defined. */
export const emojiByName = (name: string): string | undefined => byName.get(name);
/** The shortcode of an emoji code, or undefined when it has none. */
export const emojiName = (code: string): string | undefined => byCode.get(code);

const MAYBE_EMOJI = /[\u00a9\u00ae\u203c-\u3299\ud83c-\ud83e]/;
// The `v` flag is newer than the language version the sources are compiled for.
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');

/** True when a text may hold emoji as characters; false is certain. */
export const maybeEmoji = (text: string): boolean => MAYBE_EMOJI.test(text);

/** Text cut at the emoji in it. */
export function emojiParts(text: string): Array<{ text: string } | { code: string }> {
  const parts: Array<{ text: string } | { code: string }> = [];
  let end = 0;
  for (const match of text.matchAll(EMOJI)) {
    parts.push({ text: text.slice(end, match.index) }, { code: emojiCode(match[0]) });
    end = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(end) }];
}

/** The characters of an emoji code; an impossible code gives ''. */
export function emojiCharacter(code: string): string {
  const known = characters.get(code);
  if (known !== undefined) return known;
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6}){0,15}$/.test(code)) return '';
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : '';
}

function inName(code: Code): boolean {
  if (code === null) return false;
  return (
    (code > 96 && code < 123) ||
    (code > 47 && code < 58) ||
    (code > 64 && code < 91) ||
    code === 95 ||
    code === 43 ||
    code === 45
  );
}

/** `:name:` of a known name, not directly after a letter, digit or colon. */
export function emojiSyntax(): Extension {
  return {
    text: {
      [COLON]: {
        name: 'emoji',
        tokenize,
        previous: (code) => code !== COLON && (!inName(code) || code === 43 || code === 45),
      },
    },
  };
}

function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  let name = '';
  const inside: State = (code) => {
    if (code === COLON && byName.has(name)) {
      effects.consume(code);
      effects.exit('emoji');
      return ok;
    }
    if (!inName(code) || name.length > LONGEST) return nok(code);
    name += String.fromCharCode(code ?? 0);
    effects.consume(code);
    return inside;
  };
  return (code) => {
    effects.enter('emoji');
    effects.consume(code);
    return inside;
  };
}
