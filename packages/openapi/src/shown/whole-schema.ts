import { refOf } from '../documents/pointers.js';
import { schemaKey } from '../slices/schema-key.js';
import { listOf, members, type Members } from '../text/values.js';
import { mergedSchemas } from './merged-schemas.js';

/** References and parts of `allOf` that one schema is put together from. */
const mostParts = 100;

/** A schema without a reference and without `allOf`: what it names, and its parts, are put together in it. */
export function wholeSchema(schema: unknown, schemas: Readonly<Record<string, unknown>>): Members {
  let parts = 0;
  return whole(schema, []);

  function whole(given: unknown, within: readonly string[]): Members {
    parts += 1;
    const ref = refOf(given);
    if (ref !== null) return named(ref, within);
    const { allOf, ...rest } = members(given);
    return listOf(allOf)
      .map((part) => whole(part, within))
      .reduceRight<Members>((later, part) => mergedSchemas(part, later), rest);
  }

  function named(ref: string, within: readonly string[]): Members {
    const key = schemaKey(ref);
    const isKnown = key !== null && Object.hasOwn(schemas, key) && !within.includes(ref) && parts <= mostParts;
    return isKnown ? whole(schemas[key], [...within, ref]) : {};
  }
}
