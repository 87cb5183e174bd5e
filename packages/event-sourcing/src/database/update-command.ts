import { AppError } from '@scriptorium/contracts';
import { type Db, type Document } from 'mongodb';

/** A statement of the `update` command, which changes nothing when it comes a second time. */
export interface UpdateStatement {
  q: Document;
  u: Document;
  upsert?: true;
  multi?: true;
}

interface Outcome {
  refused: WriteError | undefined;
  /** Some statements may not have been tried. */
  doubtful: boolean;
}

interface WriteError {
  code: number;
  errmsg: string;
}

/** An upsert that meets a document with its `_id` which its filter leaves out: somebody has written a newer one. */
const alreadyThere = 11000;

/**
 * Carries out all statements, in no order, with one command. Throws `AppError('unexpected')` when the database refuses
 * a document.
 *
 * MongoDB goes on behind an error of an unordered command. FerretDB stops there, and does not say where that was (its
 * issue 2612). What may have been left out is sent again one by one.
 */
export async function update(
  db: Pick<Db, 'command'>,
  collection: string,
  updates: readonly UpdateStatement[],
): Promise<void> {
  const { refused, doubtful } = await attempt(db, collection, updates);
  if (refused !== undefined)
    throw new AppError('unexpected', [], {
      message: `${collection} refuses a document (${refused.code}: ${refused.errmsg.slice(0, 200)})`,
    });
  if (doubtful) for (const one of updates) await update(db, collection, [one]);
}

async function attempt(
  db: Pick<Db, 'command'>,
  collection: string,
  updates: readonly UpdateStatement[],
): Promise<Outcome> {
  const { n = 0, writeErrors = [] } = (await db.command({ update: collection, updates, ordered: false })) as {
    n?: number;
    writeErrors?: WriteError[];
  };
  const refused = writeErrors.find(({ code }) => code !== alreadyThere);
  // What its filter leaves out, and is no upsert, counts nowhere: then nothing is missing, but that cannot be told.
  return { refused, doubtful: writeErrors.length > 0 && n + writeErrors.length < updates.length };
}
