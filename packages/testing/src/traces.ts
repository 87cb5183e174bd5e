import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** All encodings in which a word may be in a file: plain, JSON, URLs, mails, and base64 at any offset. */
function formsOf(word: string): Buffer[] {
  const spellings = new Set([
    word,
    word.toLowerCase(),
    word.toUpperCase(),
    word.normalize('NFD'),
    word.normalize('NFKC').toLowerCase(),
  ]);
  const escaped = [...spellings].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    quotedPrintable(text),
    Buffer.from(text).toString('hex'),
    ...[0, 1, 2].flatMap((at) => base64At(text, at)),
  ]);
  return [...new Set(escaped)]
    .map((text) => Buffer.from(text))
    .concat([...spellings].map((text) => Buffer.from(text, 'utf16le')));
}

/** The part of the base64 encoding that does not depend on the bytes around the word. */
function base64At(text: string, at: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(at), Buffer.from(text)]);
  const encoded = bytes.toString('base64').replaceAll('=', '');
  const stable = encoded.slice(at === 0 ? 0 : at + 1, Math.floor((bytes.length * 8) / 6));
  return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
}

function quotedPrintable(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (byte > 0x7e || byte === 0x3d ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte)))
    .join('');
}

/** Files below a folder that contain one of the words in their name or content, each with the word. */
export async function filesWith(folder: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const file of files) {
    const bytes = Buffer.concat([Buffer.from(file), await readFile(file)]);
    for (const word of words)
      if (formsOf(word).some((form) => bytes.includes(form))) found.push(`${file.slice(folder.length + 1)}: ${word}`);
  }
  return found.sort();
}
