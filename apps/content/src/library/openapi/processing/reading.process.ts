import type { Scope } from '@scriptorium/platform';
import type { FileStore } from '../../../versions/index.js';
import type { Spec } from '../spec.js';

/** One attempt of a run to read a specification. */
export interface Reading {
  scope: Scope;
  files: FileStore;
  organization: string;
  id: string;
  spec: Spec;
  run: string;
  signal: AbortSignal;
}
