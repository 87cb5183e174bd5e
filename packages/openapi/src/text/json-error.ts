/**
 * Where a text stops to be JSON. `JSON.parse` of Node 20 tells no position for most mistakes. The text is scanned
 * without recursion, since its nesting is what may be wrong with it.
 */
export function offsetOfJsonError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected = 'value' as Expected;
  let at = 0;
  for (;;) {
    at = afterSpace(text, at);
    const char = text[at];
    if (char === undefined) return at;
    const step = next(char, expected, open);
    if (step === null) return at;
    if (step === 'token') {
      const end = char === '"' ? afterString(text, at) : afterWord(text, at);
      if (end < 0) return -end - 1;
      at = end;
      expected = expected === 'key' || expected === 'key or end' ? 'colon' : 'comma or end';
    } else {
      at += 1;
      expected = step;
    }
    if (expected === 'comma or end' && open.length === 0) expected = 'nothing';
  }
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** What is expected after a character; `token` when a text, number or word starts, `null` when it must not be here. */
function next(char: string, expected: Expected, open: ('{' | '[')[]): Expected | 'token' | null {
  const isValue = expected === 'value' || expected === 'value or end';
  if (char === '{' || char === '[') return isValue ? opened(char, open) : null;
  if (char === '}' || char === ']') return closes(char, expected, open) ? 'comma or end' : null;
  if (char === ':') return expected === 'colon' ? 'value' : null;
  if (char === ',') return expected === 'comma or end' ? afterComma(open) : null;
  return isValue || (char === '"' && expected.startsWith('key')) ? 'token' : null;
}

function opened(char: '{' | '[', open: ('{' | '[')[]): Expected {
  open.push(char);
  return char === '{' ? 'key or end' : 'value or end';
}

function afterComma(open: readonly ('{' | '[')[]): Expected {
  return open.at(-1) === '{' ? 'key' : 'value';
}

function closes(char: '}' | ']', expected: Expected, open: ('{' | '[')[]): boolean {
  const canEnd = expected === 'comma or end' || expected === (char === '}' ? 'key or end' : 'value or end');
  return canEnd && open.pop() === (char === '}' ? '{' : '[');
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Behind a text; `-1 - offset` of what is wrong with it. */
function afterString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') return -1 - at;
    if (char !== '\\') continue;
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(at + 1, at + 6))) return -1 - at;
    at += 1;
  }
  return -1 - text.length;
}

const word = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function afterWord(text: string, from: number): number {
  word.lastIndex = from;
  return word.test(text) ? word.lastIndex : -1 - from;
}
