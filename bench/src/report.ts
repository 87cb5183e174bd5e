import type { Figure } from './scenarios/scenario.js';

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ scenario, what, value, unit, goal, met, note }) => [
    scenario,
    what,
    `${rounded(value)} ${unit}`,
    goal ?? '',
    met === undefined ? (note ?? '') : `${met ? 'met' : 'missed'}${note === undefined ? '' : `, ${note}`}`,
  ]);
  const all = [['scenario', 'what', 'figure', 'goal', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return `${lines.join('\n')}\n`;
}

/** Three significant digits for small figures, whole numbers for large ones. */
function rounded(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
