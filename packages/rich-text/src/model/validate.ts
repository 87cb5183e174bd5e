import { RichTextError } from './errors.js';
import { keysFrom } from './keys.js';
import { limitsOf, type Limits } from './limits.js';
import { isSafeUrl } from './refs.js';
import { repairBlocks } from './repair.js';
import { documentSchema } from './schema.js';
import { SCHEMA_VERSION, type Data, type Json, type RichDocument } from './types.js';
import { keysOf } from './walk.js';

/** JSON levels per level of the document: the node, its `nodes`, `leaves`, `marks`, `data`. */
const JSON_LEVELS = 6;

/**
 * A document from anywhere, made to fit the format: unknown node types stay verbatim, children that may not stand where
 * they are move behind their parent, missing keys are made, unsafe URLs are removed, NUL and lone surrogates replaced.
 * Nothing else changes.
 * @throws RichTextError `invalid_document` when the shape is wrong, `too_many_nodes` or `too_deep` beyond `limits`
 */
export function validate(input: unknown, options: { limits?: Partial<Limits> } = {}): RichDocument {
  const limits = limitsOf(options.limits);
  measure(input, limits);
  const parsed = documentSchema.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RichTextError(
      'invalid_document',
      `${issue?.path.join('.') || 'document'}: ${issue?.message ?? 'invalid'}`,
      (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part))),
    );
  }
  const clean = sanitize(parsed.data as Json) as RichDocument;
  const taken = keysOf(clean);
  const newKey = keysFrom(JSON.stringify(clean.nodes.map((node) => node.key ?? '')), taken);
  const nodes = repairBlocks(clean.nodes, { newKey, limits });
  return { ...clean, data: { ...clean.data, schemaVersion: clean.data['schemaVersion'] ?? SCHEMA_VERSION }, nodes };
}

/** Walks the raw input without recursion, so that no nesting can exhaust the stack. */
function measure(input: unknown, limits: Limits): void {
  let level: unknown[] = [input];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.maxDepth * JSON_LEVELS)
      throw new RichTextError('too_deep', `The document nests deeper than ${limits.maxDepth} levels.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (!Array.isArray(value) && Object.hasOwn(value, '__proto__'))
        throw new RichTextError('invalid_document', 'The name __proto__ is not allowed.');
      for (const child of Object.values(value)) next.push(child);
    }
    values += next.length;
    if (values > limits.maxNodes * 12)
      throw new RichTextError('too_many_nodes', `The document has more than ${limits.maxNodes} nodes.`);
    level = next;
  }
}

function sanitize(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sanitize);
  const out: Data = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || isUnsafeUrl(name, member, value)) continue;
    out[name] = sanitize(member);
  }
  return out;
}

/** `url` of a reference or an embed. Text that is called `url` in a property of an integration is its own affair. */
function isUnsafeUrl(name: string, value: Json, owner: Data): boolean {
  return (
    name === 'url' &&
    typeof value === 'string' &&
    !isSafeUrl(value) &&
    (owner['kind'] !== undefined || owner['props'] === undefined)
  );
}
