/** The characters of LZ-string for addresses, by their values. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$';
const values: ReadonlyMap<string, number> = new Map([...alphabet].map((character, value) => [character, value]));
const bitsOfCharacter = 6;

/** Codes that stand for no known text: a character of 8 bits, one of 16 bits, and the end. */
const [shortCode, longCode, endCode] = [0, 1, 2];

/** Reads numbers of some bits, the lowest bit first. */
function createReader(input: string): (bits: number) => number | undefined {
  let [at, value, left] = [0, 0, 0];
  const next = (): number | undefined => {
    if (left === 0) {
      const read = values.get(input[at] ?? '');
      if (read === undefined) return undefined;
      [value, left, at] = [read, bitsOfCharacter, at + 1];
    }
    left -= 1;
    return (value >> left) & 1;
  };
  return (bits) => {
    let result = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const read = next();
      if (read === undefined) return undefined;
      result |= read << bit;
    }
    return result;
  };
}

/**
 * The text that LZ-string has compressed for addresses (`compressToEncodedURIComponent`); `undefined` for what is no
 * such text, or is longer than `most` characters. Pure.
 */
export function expandLzText(input: string, most: number): string | undefined {
  // A space in an address is what `+` becomes.
  const read = createReader(input.replaceAll(' ', '+'));
  const known: string[] = ['', '', ''];
  let [bits, room] = [2, 4];
  const learn = (text: string): void => {
    known.push(text);
    room -= 1;
    if (room === 0) [bits, room] = [bits + 1, 2 ** bits];
  };
  const character = (code: number): string | undefined => {
    const read16 = read(code === shortCode ? 8 : 16);
    return read16 === undefined ? undefined : String.fromCharCode(read16);
  };
  const first = read(2);
  if (first === endCode) return '';
  const begin = first === shortCode || first === longCode ? character(first) : undefined;
  if (begin === undefined) return undefined;
  known.push(begin);
  [bits, room] = [3, 4];
  let [before, result] = [begin, begin];
  while (result.length <= most) {
    const code = read(bits);
    if (code === undefined) return undefined;
    if (code === endCode) return result;
    let text = known[code];
    if (code === shortCode || code === longCode) {
      text = character(code);
      if (text === undefined) return undefined;
      learn(text);
    } else if (code === known.length) text = before + before.charAt(0);
    if (text === undefined) return undefined;
    result += text;
    learn(before + text.charAt(0));
    before = text;
  }
  return undefined;
}
