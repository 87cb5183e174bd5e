import { type Recorded } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { type NewTimer } from '../scope/store-scope.js';

/**
 * What is recorded beside the events of a reaction: it acts as the system, within the organization and correlation of the event
 * that it follows. `<reactor>:<id of the event>` is the key by which a repetition is recognised.
 */
export function contextOfEvent(name: string, { id, meta }: Pick<Recorded, 'id' | 'meta'>): CommandContext {
  const { organization, correlation, within } = meta;
  return { ...system(name), organization, correlation, within, causation: id, idem: `${name}:${id}` };
}

/** What is recorded beside the events that a timer leads to. */
export function contextOfTimer({ id, at, command, organization, correlation }: NewTimer): CommandContext {
  return { ...system(command), organization, correlation, idem: `timer:${id}:${at}` };
}

function system(name: string): Pick<CommandContext, 'actor' | 'operation'> {
  return { actor: { kind: 'system', id: name }, operation: name };
}
