import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reportLines, verifyEventStore, type CheckReport } from '@scriptorium/embedded/eventstore';
import { verifyMongo } from '@scriptorium/embedded/mongodb';

/** The result of checking embedded stores. */
export interface StoresCheck {
  sound: boolean;
  /** The report for people: each error with file and offset, and what was checked. */
  lines: string[];
}

/** Checks every record, page and document of the stores in a folder. No server may use them. */
export async function checkStores(folder: string): Promise<StoresCheck> {
  const reports: [name: string, report: CheckReport][] = [];
  if (existsSync(join(folder, 'eventstore', 'log')))
    reports.push(['eventstore', await verifyEventStore(join(folder, 'eventstore'))]);
  if (existsSync(join(folder, 'mongodb', 'data.mdb'))) reports.push(['mongodb', verifyMongo(join(folder, 'mongodb'))]);
  return {
    sound: reports.every(([, { findings }]) => findings.length === 0),
    lines: reports.flatMap(([name, report]) => reportLines(name, report)),
  };
}
