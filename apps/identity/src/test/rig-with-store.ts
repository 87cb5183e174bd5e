import { withStore, type RigWithStore } from '@scriptorium/testing/store';
import { startRig as start, type Rig as RigWithMail } from './rig.js';

export { type Answer, type Body, eventually, get, type Person, type Send } from '@scriptorium/testing';

/** A rig of `rig.ts`, with the log and the read models of identity. */
export type Rig = RigWithMail & RigWithStore;

/** `startRig` of `rig.ts`, with the log and the read models of identity. */
export async function startRig(...given: Parameters<typeof start>): Promise<Rig> {
  const rig = await start(...given);
  return { ...rig, ...withStore(rig, 'identity') };
}
