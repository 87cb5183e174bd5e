import type { FileStore } from '../../versions/index.js';
import { poolOf } from './spec-bytes.operational.js';

/** A form of a version, by its SHA-256. */
export interface StoredForm {
  /** Id of the specification. */
  spec: string;
  hash: string;
}

/** Bytes of a form, and how many all of it are. */
export interface FormPart {
  bytes: Buffer;
  size: number;
}

/**
 * A part of a form of a version. `undefined` when the form is not there: versions that are not kept any more have none.
 * @throws AppError `unavailable`
 */
export function readFormPart(
  files: FileStore,
  { spec, hash }: StoredForm,
  range: { start: number; end: number },
): Promise<FormPart | undefined> {
  return files.part(poolOf({ spec, part: 'forms' }), hash, range);
}
