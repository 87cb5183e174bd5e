/** What every token of the product begins with. */
const tokens = /\bscr_[a-z]+_[\w-]+/g;

/**
 * A text for people in which no token can be read: neither one with the form of a token, nor what stands behind
 * `--token` in the arguments.
 */
export function masked(text: string, argv: readonly string[]): string {
  let result = text;
  for (const [index, argument] of argv.entries()) {
    const given = argument === '--token' ? argv[index + 1] : /^--token=(.+)$/s.exec(argument)?.[1];
    if (given !== undefined && given !== '') result = result.replaceAll(given, '***');
  }
  return result.replaceAll(tokens, '***');
}
