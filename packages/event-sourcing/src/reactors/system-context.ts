import { type Recorded } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { type NewTimer } from '../commands/store-scope.js';

/**
 * The context of commands in a reaction. The system acts, in the organization and correlation of the event.
 * `<reactor>:<id of the event>` is the key by which a repetition is recognised.
 */
export function contextOfEvent(name: string, { id, meta }: Pick<Recorded, 'id' | 'meta'>): CommandContext {
  const { organization, correlation, within } = meta;
  return { ...system(name), organization, correlation, within, causation: id, idem: `${name}:${id}` };
}

/** The context of the commands of a timer. */
export function contextOfTimer({ id, at, command, organization, correlation }: NewTimer): CommandContext {
  return { ...system(command), organization, correlation, idem: `timer:${id}:${at}` };
}

function system(name: string): Pick<CommandContext, 'actor' | 'operation'> {
  return { actor: { kind: 'system', id: name }, operation: name };
}
