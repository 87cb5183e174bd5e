/** One thing that is wrong with a data folder. */
export interface Finding {
  readonly file: string;
  /** of the first byte that is wrong, or of the record or page that holds it */
  readonly offset: number;
  readonly what: string;
  /** how to go on */
  readonly remedy: string;
}

/** What a check of a data folder came to. */
export interface CheckReport {
  /** what was looked at, by kind: `records`, `pages`, `documents` and so on */
  readonly checked: Readonly<Record<string, number>>;
  /** Empty when all is well; at most `MAX_FINDINGS`, `more` counts the rest. */
  readonly findings: readonly Finding[];
  readonly more: number;
  /** What is unusual and does no harm, one line each. */
  readonly notes: readonly string[];
}

const MAX_FINDINGS = 100;

/** How to go on when bytes of the data are wrong. */
export const DATA_REMEDY =
  'restore this folder from a backup; when everything in it is made from a log, remove it and it is made again';

/** Gathers what a check comes to, within bounds. */
export class Findings {
  readonly checked: Record<string, number> = {};
  readonly notes: string[] = [];
  private readonly kept: Finding[] = [];
  private more = 0;

  get any(): boolean {
    return this.kept.length > 0;
  }

  add(finding: Finding): void {
    if (this.kept.length < MAX_FINDINGS) this.kept.push(finding);
    else this.more += 1;
  }

  count(what: string, by = 1): void {
    this.checked[what] = (this.checked[what] ?? 0) + by;
  }

  report(): CheckReport {
    return { checked: this.checked, findings: this.kept, more: this.more, notes: this.notes };
  }
}

/** The report as lines for a person: what is wrong with file, offset and how to go on, then what was looked at. */
export function reportLines(name: string, report: CheckReport): string[] {
  const checked = Object.entries(report.checked).map(([what, n]) => `${String(n)} ${what}`);
  const lines = report.findings.map(
    ({ file, offset, what, remedy }) => `${file} at offset ${String(offset)}: ${what}; ${remedy}`,
  );
  if (report.more > 0) lines.push(`and ${String(report.more)} more`);
  const verdict =
    report.findings.length === 0 ? 'sound' : `${String(report.findings.length + report.more)} found wrong`;
  return [...lines, ...report.notes, `${name}: ${verdict} (${checked.join(', ')})`];
}
