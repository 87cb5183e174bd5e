import type { Db, Document } from 'mongodb';

/** What a case may look at. */
export interface Tools {
  readonly db: Db;
  /** Name of a collection with `{ _id: 1, a: 3 }`, `{ _id: 2, a: 1 }`, `{ _id: 3, a: 2 }` and an index on `a`. */
  readonly c: string;
}

/** What becomes of one option of a command when it is given. */
export interface OptionCase {
  /** What it is given, or a function of the collection that makes it. */
  readonly value: unknown;
  /** Further fields that the option needs. */
  readonly beside?: Document;
  /** The code it is refused with. */
  readonly refused?: number;
  /** What shows that it was honoured. */
  readonly seen?: (reply: Document, t: Tools) => unknown;
  readonly expected?: unknown;
  /** Why it can have no effect. */
  readonly idle?: string;
  /** A value it cannot have, and the code of the refusal (14 unless told otherwise). */
  readonly wrong?: unknown;
  readonly code?: number;
}

/** A command and its options. */
export interface CommandCases {
  /** Whether it is sent to the database `admin`. */
  readonly admin?: boolean;
  readonly base: (t: Tools) => Document | Promise<Document>;
  readonly options: Readonly<Record<string, OptionCase>>;
}

export const refused = (code: number, value: unknown, more: Partial<OptionCase> = {}): OptionCase => ({
  value,
  refused: code,
  ...more,
});

export const idle = (why: string, value: unknown, more: Partial<OptionCase> = {}): OptionCase => ({
  value,
  idle: why,
  ...more,
});

export const seen = (
  value: unknown,
  look: (reply: Document, t: Tools) => unknown,
  expected: unknown,
  more: Partial<OptionCase> = {},
): OptionCase => ({ value, seen: look, expected, wrong: 'x', ...more });

export const idsOf = (reply: Document): unknown[] =>
  ((reply['cursor'] as Document)['firstBatch'] as Document[]).map((doc) => doc['_id'] as unknown);

export const isOpen = (reply: Document): boolean => String((reply['cursor'] as Document)['id']) !== '0';

export const stored = async ({ db, c }: Tools): Promise<unknown[]> =>
  (await db.collection(c).find().sort({ _id: 1 }).toArray()).map((doc) => (doc['b'] as unknown) ?? null);
