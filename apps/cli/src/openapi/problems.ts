interface Problem {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
}

/** Problems as lines that editors and CI understand: `file:line:column message`. `count`: how many there are. */
export function problemLines(source: string, problems: readonly Problem[], count: number): string {
  const lines = problems.map(({ message, line = 1, column = 1 }) => `${source}:${line}:${column} ${message}\n`);
  const more = count - problems.length;
  return lines.join('') + (more > 0 ? `and ${more} further problems\n` : '');
}
