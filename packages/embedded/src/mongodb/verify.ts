import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../folder-lock.js';
import { type CheckReport, DATA_REMEDY, Findings } from '../checking/finding.js';
import { checkLmdb } from '../checking/lmdb-check.js';
import { CollectionsCheck } from './store/check-collections.js';

/**
 * Checks every page of the file, the checksum of every document, that it stands under its own `_id`, that every index
 * has the entries of its documents and no other, and the counts. Changes nothing.
 * @throws Error naming the pid of the process that uses the folder, or when there is no data
 */
export function verifyMongo(dataDir: string): CheckReport {
  const file = join(dataDir, 'data.mdb');
  if (!existsSync(file)) throw new Error(`there is no data of MongoDB in ${dataDir}`);
  const unlock = lockFolder(dataDir, 'server.pid');
  const findings = new Findings();
  try {
    const check = new CollectionsCheck(file, findings);
    checkLmdb(file, findings, {
      remedy: DATA_REMEDY,
      trees: {
        meta: (key, value, offset) => {
          check.meta(key, value, offset);
        },
        docs: (key, value, offset) => {
          check.document(key, value, offset);
        },
        index: (key, value, offset) => {
          check.entry(key, value, offset);
        },
      },
    });
    // Where bytes are wrong, counts that differ say nothing new.
    if (!findings.any) check.finish();
  } finally {
    unlock();
  }
  return findings.report();
}
