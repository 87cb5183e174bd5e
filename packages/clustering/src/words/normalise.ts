/** One form for text that can be written in several: compatibility forms, case and apostrophes. */
export function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’ʼ‘`´]/gu, "'");
}

/** A word without the marks of Latin and Greek letters, so that "cafe" and "café" are one word. */
export function folded(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

/**
 * The first `most` UTF-16 units of a text, without half a character at the end. Half characters that the text came
 * with become the replacement character, so that every later step sees well-formed text.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most).toWellFormed();
}
