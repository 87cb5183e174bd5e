import * as z from 'zod';

/** The most findings of a kind that are named; the others are counted. */
const mostNamed = 50;

/** What a check has found so far. It stands in the log, so it names objects by their hashes and holds no text. */
export const Findings = z.object({
  revisions: z.int(),
  objects: z.int(),
  files: z.int(),
  missing: z.int(),
  corrupt: z.int(),
  missingFiles: z.int(),
  unreachable: z.int(),
  /** `<pool>/<name>` of the first ones that are missing or corrupt. */
  named: z.array(z.string()),
});
export type Findings = z.output<typeof Findings>;

export const noFindings: Findings = {
  revisions: 0,
  objects: 0,
  files: 0,
  missing: 0,
  corrupt: 0,
  missingFiles: 0,
  unreachable: 0,
  named: [],
};

type Damage = 'missing' | 'corrupt' | 'missingFiles';

/** Notes something that is damaged. */
export function noteDamage(findings: Findings, damage: Damage, name: string): void {
  findings[damage] += 1;
  if (findings.named.length < mostNamed) findings.named.push(name);
}
