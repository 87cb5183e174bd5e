import { withStore, type RigWithStore } from '@scriptorium/testing/store';
import { startRig as start } from './rig.js';

export { type Answer, eventually, get, type Person } from '@scriptorium/testing';
export type { RigWithStore as Rig } from '@scriptorium/testing/store';

/** `startRig` of `rig.ts`, with the log and the read models of collaboration. */
export async function startRig(...given: Parameters<typeof start>): Promise<RigWithStore> {
  return withStore(await start(...given), 'collaboration');
}
