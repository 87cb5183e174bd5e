import { parseObject } from './parse-property.js';
import { type Issue, createReport } from './report.js';
import { type AdaptiveSchema } from './schema.js';

export type SchemaResult =
  { readonly ok: true; readonly schema: AdaptiveSchema } | { readonly ok: false; readonly issues: readonly Issue[] };

const DRAFTS: ReadonlySet<unknown> = new Set([
  undefined,
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-07/schema',
]);

/**
 * Checks a JSON Schema (draft 07) as an adaptive schema: an object of boolean, string, number, array and object
 * properties, nothing else, within `SCHEMA_LIMITS`. Never throws; the input may be anything that JSON can hold.
 * @returns the schema, or what is wrong with it, each with the JSON Pointer of the place (at most 20)
 */
export const parseAdaptiveSchema = (input: unknown): SchemaResult => {
  const report = createReport();
  const root = parseObject(input, { pointer: '', depth: 0, report, keywords: ['$schema'] });
  if (root !== undefined && !DRAFTS.has((input as { $schema?: unknown }).$schema)) {
    report.add('/$schema', 'only draft 07 is accepted');
  }
  if (root === undefined || report.issues.length > 0) return { ok: false, issues: report.issues };
  return { ok: true, schema: { root } };
};
