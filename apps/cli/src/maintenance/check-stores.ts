import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reportLines, verifyEventStore, type CheckReport } from '@scriptorium/embedded/eventstore';
import { verifyMongo } from '@scriptorium/embedded/mongodb';
import { checkFiles, filesName } from './files-folder.js';

/** The result of checking embedded stores. */
export interface StoresCheck {
  sound: boolean;
  /** The report for people: each error with file and offset, and what was checked. */
  lines: string[];
}

/**
 * Checks every record, page and document of the stores in a folder, and every file. No server may use them.
 * `bytesOfFiles`: the folder of files, where it is another one.
 */
export async function checkStores(folder: string, bytesOfFiles = join(folder, filesName)): Promise<StoresCheck> {
  const reports: [name: string, report: CheckReport][] = [];
  if (existsSync(join(folder, 'eventstore', 'log')))
    reports.push(['eventstore', await verifyEventStore(join(folder, 'eventstore'))]);
  if (existsSync(join(folder, 'mongodb', 'data.mdb'))) reports.push(['mongodb', verifyMongo(join(folder, 'mongodb'))]);
  const files = await checkFiles(bytesOfFiles);
  return {
    sound: files.sound && reports.every(([, { findings }]) => findings.length === 0),
    lines: [...reports.flatMap(([name, report]) => reportLines(name, report)), ...files.lines],
  };
}
