import { SCHEMA_LIMITS } from './schema.js';

/** Something wrong with a schema. */
export interface Issue {
  /** JSON Pointer (RFC 6901) of the place; the empty string is the whole document. */
  readonly pointer: string;
  readonly message: string;
}

/** Collects issues, a bounded number of them, and counts properties. */
export interface Report {
  readonly issues: readonly Issue[];
  readonly add: (pointer: string, message: string) => undefined;
  /** Counts one more property; false when there are too many. */
  readonly countProperty: () => boolean;
}

/** An empty report. */
export const createReport = (): Report => {
  const issues: Issue[] = [];
  let properties = 0;
  return {
    issues,
    add: (pointer, message) => {
      if (issues.length < SCHEMA_LIMITS.issues) issues.push({ pointer, message });
      return undefined;
    },
    countProperty: () => ++properties <= SCHEMA_LIMITS.properties,
  };
};

/** The pointer of a property below another place. */
export const below = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
