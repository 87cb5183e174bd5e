import { blaming } from '@scriptorium/contracts';
import { ExpressionError, compileCondition, parseAdaptiveSchema, type AdaptiveSchema } from '@scriptorium/expressions';
import type { SiteSettings } from '../site/settings.js';

const parsedSchemas = new WeakMap<object, AdaptiveSchema | null>();

/** The claims that conditions of a site may use; `undefined` while it has none, or its adaptive content is off. */
export function schemaOf({
  adaptiveContent,
  adaptiveSchema,
}: Pick<SiteSettings, 'adaptiveContent' | 'adaptiveSchema'>): AdaptiveSchema | undefined {
  if (!adaptiveContent || adaptiveSchema === null) return undefined;
  const known = parsedSchemas.get(adaptiveSchema);
  if (known !== undefined) return known ?? undefined;
  const parsed = parseAdaptiveSchema(adaptiveSchema);
  parsedSchemas.set(adaptiveSchema, parsed.ok ? parsed.schema : null);
  return parsed.ok ? parsed.schema : undefined;
}

/**
 * A condition as it is stored; an empty one is none.
 * @throws AppError `condition_invalid` for what is no condition, or what the claims of the site cannot decide
 */
export function checkedCondition(settings: SiteSettings, source: string | null, field: string): string | null {
  if (source === null || source === '') return null;
  const schema = schemaOf(settings);
  try {
    compileCondition(source, schema === undefined ? {} : { schema });
    return source;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw blaming('condition_invalid', field, error.message);
  }
}
