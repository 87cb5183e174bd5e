import * as z from 'zod';

const id = z.string();
const count = z.int();
const visibility = z.enum(['private', 'public']);
/** `name`: of the URL in `op_spec_texts`, since it may hold a secret, or of the text among the bytes. */
const source = z.object({ kind: z.enum(['url', 'text']), name: id });

/**
 * Stream `content.specs-<organization>`: all OpenAPI specifications of an organization, since their slugs are unique
 * and counted. It has ids, hashes and slugs, and no texts.
 */
export const specEventSchemas = {
  OpenAPISpecCreated: z.object({ spec: id, slug: z.string(), source }),
  /** `source`: the new one, unless the old one is read again. */
  OpenAPISpecUpdateRequested: z.object({
    spec: id,
    source: source.optional(),
    cause: z.enum(['put', 'timer']),
  }),
  /** `request`: how many times reading was requested until now; all of these are answered by this run. */
  OpenAPISpecProcessingStarted: z.object({ spec: id, run: id, request: count }),
  OpenAPISpecVersionAdded: z.object({
    spec: id,
    run: id,
    version: id,
    /** SHA-256 of the forms. */
    document: id,
    outline: id,
    pack: id,
    /** SHA-256 of its text as it came, and what that is. Earlier versions do not have them. */
    source: id.optional(),
    format: z.enum(['json', 'yaml']).optional(),
    bytes: count,
    operations: count,
    schemas: count,
    problems: count,
    /** What differs from the version before. */
    changes: z.object({ added: count, changed: count, removed: count, breaking: count }).nullable(),
  }),
  /** It is what it was. */
  OpenAPISpecChecked: z.object({ spec: id, run: id, problems: count }),
  OpenAPISpecProcessingFailed: z.object({
    spec: id,
    run: id,
    code: z.enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR', 'QUOTA_REACHED']),
    problems: count,
  }),
  OpenAPISpecVisibilityChanged: z.object({ spec: id, visibility }),
  OpenAPISpecDeleted: z.object({ spec: id }),
  /** The organization was deleted. Nothing comes into the stream any more. */
  OpenAPISpecsClosed: z.object({}),
};
