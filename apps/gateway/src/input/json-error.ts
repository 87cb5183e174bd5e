const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const word = /true|false|null/y;

/**
 * Where a text that is not JSON stops to be it, as a sentence has it. Nothing of the text is repeated: it may hold a
 * secret. The caller has bounded how deep it nests.
 */
export function placeOfError(text: string): string {
  const at = endOfJson(text);
  const before = text.slice(0, at);
  const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
  return at >= text.length ? `it ends too early, at ${place}` : `${place} cannot be read`;
}

/** Reads one thing that begins at an index: the index behind it, or the one of the error as a negative number. */
type Read = (text: string, from: number) => number;

/** The index up to which a text is JSON. */
function endOfJson(text: string): number {
  const end = readValue(text, 0);
  return end < 0 ? wrongAt(end) : skip(blank, text, end);
}

/** Errors are negative, also that at 0. */
function wrongAt(index: number): number {
  return -index - 1;
}

/** The index behind what a pattern matches there; the same index if it matches nothing. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

const readValue: Read = (text, from) => {
  const at = skip(blank, text, from);
  const first = text[at];
  if (first === '{') return readMany(text, at, '}', readField);
  if (first === '[') return readMany(text, at, ']', readValue);
  if (first === '"') return readString(text, at);
  const end = skip(first === '-' || isDigit(first) ? number : word, text, at);
  return end === at ? wrongAt(at) : end;
};

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** The items of an array, or the fields of an object. */
function readMany(text: string, from: number, close: string, read: Read): number {
  let at = skip(blank, text, from + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    const end = read(text, at);
    if (end < 0) return end;
    at = skip(blank, text, end);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return wrongAt(at);
    at += 1;
  }
}

const readField: Read = (text, from) => {
  const at = skip(blank, text, from);
  const end = text[at] === '"' ? readString(text, at) : wrongAt(at);
  if (end < 0) return end;
  const colon = skip(blank, text, end);
  return text[colon] === ':' ? readValue(text, colon + 1) : wrongAt(colon);
};

const readString: Read = (text, from) => {
  let at = from + 1;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') return at + 1;
    if (character < ' ') return wrongAt(at);
    const next = character === '\\' ? skip(escape, text, at) : at + 1;
    if (next === at) return wrongAt(at);
    at = next;
  }
  return wrongAt(at);
};
