/** Facts as lines for people; those that are not known are left out. */
export function linesOf(facts: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(facts)
    .map(([name, fact]) => (fact === undefined ? '' : `${name}: ${fact}\n`))
    .join('');
}
