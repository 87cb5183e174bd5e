import type { SpaceEvent } from './space.events.js';

/** Whether the content of a space is made by a translation. */
export interface Holding {
  /** The translation that makes it; then nobody else changes it. */
  readOnly: { translation: string } | null;
}

export const notHeld: Holding = { readOnly: null };

/** What an event changes of it, in the aggregate and in the read model. */
export function holdingChanged({ type, data }: SpaceEvent): Partial<Holding> {
  if (type === 'SpaceHeld') return { readOnly: data };
  return type === 'SpaceReleased' ? notHeld : {};
}
