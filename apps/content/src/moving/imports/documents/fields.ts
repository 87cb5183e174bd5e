import { PageFields, type ImportWarning } from '@scriptorium/contracts';
import type { FrontMatter } from '@scriptorium/rich-text';
import type * as z from 'zod';
import { givenFields, keysOfFields } from '../../../versions/pure.js';
import { compiles } from '../planning/condition.js';
import type { ResolvedLinks } from './links.js';

type Fields = z.output<typeof PageFields>;

/**
 * The fields that front matter names. Those that are not allowed are left out, with a warning. `hasUnusableCondition`:
 * it names a condition that cannot be evaluated. Nobody knows to whom the page may be shown, so it has to be left out.
 */
export function fieldsIn(
  path: string,
  frontMatter: FrontMatter | undefined,
  links: ResolvedLinks,
): { fields: Fields; warnings: ImportWarning[]; hasUnusableCondition: boolean } {
  if (frontMatter === undefined) return { fields: {}, warnings: [], hasUnusableCondition: false };
  const warnings: ImportWarning[] = [];
  const warn = (target: string) => void warnings.push({ kind: 'front_matter', path, target });
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(givenFields(frontMatter, links.resolve))) {
    const schema = Object.hasOwn(PageFields.shape, name) ? PageFields.shape[name as keyof Fields] : undefined;
    const parsed = schema?.safeParse(value);
    if (parsed?.success !== true) warn(name);
    else if (parsed.data !== undefined) fields[name] = parsed.data;
  }
  for (const name of Object.keys(frontMatter.other ?? {})) if (keysOfFields.has(name)) warn(name);
  if (isSaid(frontMatter.other?.['unlisted'], true)) {
    Object.assign(fields, { hidden: true, noIndex: true, noRobotsIndex: true });
    warnings.push({ kind: 'draft', path, target: 'unlisted' });
  }
  return { fields, warnings: [...links.warnings, ...warnings], hasUnusableCondition: !isUsable(frontMatter) };
}

/** Whether a value of front matter is a truth value, also as a text. */
export function isSaid(value: unknown, wanted: boolean): boolean {
  return value === wanted || (typeof value === 'string' && value.toLowerCase() === String(wanted));
}

/** Whether a page has no condition, or one that can be evaluated. */
function isUsable({ condition, other = {} }: FrontMatter): boolean {
  if (other['if'] != null) return false;
  const parsed = PageFields.shape.condition.safeParse(condition);
  return parsed.success && compiles(parsed.data ?? undefined);
}
