/** Characters in one answer: what models take without losing the rest of a conversation. */
const longest = 50_000;

/** The part of a text that begins behind `from` characters, and where the next one begins if something is left. */
export function partOf(text: string, from: number): string {
  const shown = text.slice(from, from + longest);
  const left = text.length - from - shown.length;
  return left > 0 ? `${shown}\n\n(${left} more characters: offset ${from + shown.length})` : shown;
}
