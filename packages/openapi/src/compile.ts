import { createHash } from 'node:crypto';
import { bundle } from './documents/bundle.js';
import { takeOutCircular } from './documents/circular.js';
import { dropInternal } from './documents/drop-internal.js';
import { markInternal } from './documents/internal/mark-internal.js';
import type { OtherDocuments } from './documents/given-documents.js';
import { storedDocument } from './documents/path-item.js';
import { requireSpecification, upgrade, versionProblem } from './documents/upgrade.js';
import { lint } from './problems/lint.js';
import { problem, type Problems } from './problems/problem.js';
import { outlineOf } from './slices/outline.js';
import { writePack } from './slices/write-pack.js';
import { parseText } from './text/parse-text.js';
import { UnreadableSpecification } from './text/unreadable.js';
import { members, type Members } from './text/values.js';

/** A form of a specification: its bytes, and their SHA-256 in hex. */
export interface Form {
  bytes: Uint8Array;
  hash: string;
}

/** A specification that can be read. */
export interface CompiledSpecification {
  isReadable: true;
  format: 'json' | 'yaml';
  title: string;
  /** The whole of it as OpenAPI 3.1 in JSON, without what is internal. */
  document: Form;
  /** What pages and lists need (`Outline` as JSON). */
  outline: Form;
  /** Operations and schemas one by one (`openPack`). */
  pack: Form;
  operations: number;
  schemas: number;
  problems: Problems;
}

/** A text that is no specification, and why. */
export interface UnreadableText {
  isReadable: false;
  problems: Problems;
}

export interface CompileOptions {
  /** The URL that the text came from: relative references start there. */
  location?: string;
  /** Documents that the text refers to. */
  others?: OtherDocuments;
}

/** Limits of a specification. */
export const specificationBounds = { bytes: 20 * 1024 * 1024, operations: 10_000, schemas: 5_000 } as const;

/**
 * Makes the forms of a specification out of its text: OpenAPI 3 or Swagger 2.0, JSON or YAML. Equal texts give equal
 * bytes. What is wrong with it comes as problems with their lines; only what cannot be read at all is refused.
 */
export async function compile(
  text: string,
  options: CompileOptions = {},
): Promise<CompiledSpecification | UnreadableText> {
  try {
    return await compileReadable(text, options);
  } catch (error) {
    if (error instanceof UnreadableSpecification) return unreadable(error.message, error.place);
    // A value that nests in ways which the guard does not count exhausts the stack of a library.
    if (error instanceof RangeError) return unreadable('It is too complex', null);
    throw error;
  }
}

function unreadable(message: string, place: UnreadableSpecification['place']): UnreadableText {
  return {
    isReadable: false,
    problems: { items: [problem(message, { code: 'unreadable', severity: 'error', ...place })], count: 1 },
  };
}

async function compileReadable(text: string, options: CompileOptions): Promise<CompiledSpecification> {
  const { location = null, others = new Map<string, string>() } = options;
  if (Buffer.byteLength(text) > specificationBounds.bytes)
    throw new UnreadableSpecification(`It is larger than ${specificationBounds.bytes / 1024 / 1024} MiB`);
  const { format, value, takenOut } = parseText(text);
  const specification = requireSpecification(value, text);
  const circular = takeOutCircular(specification);
  markInternal(specification);
  const problems = await lint({
    text,
    value: specification,
    location,
    others,
    circular,
    version: versionProblem(value),
    takenOut,
  });
  const whole = await bundle(unshared(specification), location, others);
  takeOutCircular(whole);
  const plain = unshared(members(whole));
  // Before the upgrade, which makes other parts of those that are marked.
  dropInternal(plain);
  const root = upgrade(plain);
  return { isReadable: true, format, ...formsOf(root), problems };
}

/** A copy in which nothing stands in two places: libraries change what they are given. */
function unshared(value: Members): Members {
  return JSON.parse(JSON.stringify(value)) as Members;
}

function formsOf(root: Members) {
  const outline = outlineOf(root);
  const operations = outline.operations.length + outline.webhooks.length;
  const schemas = outline.models.length;
  if (operations > specificationBounds.operations)
    throw new UnreadableSpecification(`It has more than ${specificationBounds.operations} operations`);
  if (schemas > specificationBounds.schemas)
    throw new UnreadableSpecification(`It has more than ${specificationBounds.schemas} schemas`);
  return {
    title: outline.info.title,
    document: form(Buffer.from(JSON.stringify(storedDocument(root)))),
    outline: form(Buffer.from(JSON.stringify(outline))),
    pack: form(writePack(root)),
    operations,
    schemas,
  };
}

function form(bytes: Uint8Array): Form {
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}
