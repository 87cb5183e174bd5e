/** Longer names are compared with none: the work grows with the product of both lengths. */
const longestName = 64;

/**
 * The name of a list that somebody probably meant: the same but for case, dashes and underscores, or at most two
 * letters (one, of a short name) are missing, wrong or exchanged.
 */
export function nearMiss(given: string, names: readonly string[]): string | undefined {
  const most = given.length < 5 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > most + 2 || name.length > longestName) continue;
    const steps = plain(name) === plain(given) ? 0 : distance(given, name);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/**
 * How many letters have to be added, removed, replaced, or exchanged with their neighbour (optimal string alignment).
 */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, exchanged, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
