import { AppError } from '@scriptorium/contracts';
import {
  compile,
  ExpressionError,
  parseAdaptiveSchema,
  toJsonSchema,
  type AdaptiveSchema,
} from '@scriptorium/expressions';
import {
  type SiteEvent,
  inOrder,
  requireActive,
  siteSpacesInOrder,
  type SiteState,
  type Structure,
} from '../model/index.js';

/** @throws AppError `adaptive_schema_invalid` that names each wrong place */
export function readSchema(jsonSchema: unknown, field: string): AdaptiveSchema {
  const parsed = parseAdaptiveSchema(jsonSchema);
  if (parsed.ok) return parsed.schema;
  const details = parsed.issues.map(({ pointer, message }) => ({
    path: `${field}${pointer.replaceAll('/', '.')}`,
    message,
  }));
  const [first] = details;
  throw new AppError('adaptive_schema_invalid', details, {
    message: first === undefined ? 'The schema is invalid' : `${first.path}: ${first.message}`,
  });
}

/** Replaces the schema. Returns no event if it is the same. */
export function replaceSchema(state: SiteState, schema: AdaptiveSchema): SiteEvent[] {
  const { adaptiveSchema } = requireActive(state);
  const json = toJsonSchema(schema);
  return JSON.stringify(json) === JSON.stringify(adaptiveSchema)
    ? []
    : [{ type: 'SiteAdaptiveSchemaReplaced', data: { schema: { ...json } } }];
}

export interface AffectedCondition {
  type: 'site-section' | 'site-space';
  id: string;
  condition: string;
  message: string;
}

/** The conditions of a site that a schema does not allow. */
export function affectedConditions(structure: Structure, schema: AdaptiveSchema): AffectedCondition[] {
  const sections = inOrder(structure).flatMap((item) =>
    item.kind === 'section' ? affected('site-section', item, schema) : [],
  );
  return [...sections, ...siteSpacesInOrder(structure).flatMap((one) => affected('site-space', one, schema))];
}

function affected(
  type: AffectedCondition['type'],
  { id, condition }: { id: string; condition: string | null },
  schema: AdaptiveSchema,
): AffectedCondition[] {
  if (condition === null) return [];
  const message = problemOf(condition, schema);
  return message === undefined ? [] : [{ type, id, condition, message }];
}

function problemOf(condition: string, schema: AdaptiveSchema): string | undefined {
  try {
    return compile(condition, { schema }).problems[0]?.message;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
