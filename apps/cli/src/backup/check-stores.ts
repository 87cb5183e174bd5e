import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reportLines, verifyEventStore, type CheckReport } from '@scriptorium/embedded/eventstore';
import { verifyMongo } from '@scriptorium/embedded/mongodb';

/** What a check of the embedded stores in a folder came to. */
export interface StoresCheck {
  sound: boolean;
  /** For a person: what is wrong with file and offset, and what was looked at. */
  lines: string[];
}

/** Checks every record, page and document of the stores in a folder that no server uses. */
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
