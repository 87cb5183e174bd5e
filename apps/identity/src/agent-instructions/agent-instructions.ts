import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { hash, type RichDocument } from '@scriptorium/rich-text';
import { type AgentInstructionsEvent, agentInstructionsEvents } from './agent-instructions.events.js';

/** The instructions for the agents of an organization. The document is null until somebody writes one. */
export interface Instructions {
  /** The rich document as JSON. */
  document: string | null;
}

function evolve(state: Instructions, event: AgentInstructionsEvent): Instructions {
  switch (event.type) {
    case 'AgentInstructionsReplaced':
      return event.data;
    default:
      return unchanged(state, event.type);
  }
}

export const agentInstructions = defineAggregate({
  service: 'identity',
  entity: 'instructions',
  events: agentInstructionsEvents,
  initial: { document: null },
  evolve,
});

/** Replaces the instructions. No event when only the order of properties differs. */
export function replaceInstructions(state: Instructions, input: { document: string }): AgentInstructionsEvent[] {
  if (state.document !== null && hashOf(state.document) === hashOf(input.document)) return [];
  return [{ type: 'AgentInstructionsReplaced', data: input }];
}

function hashOf(json: string): string {
  return hash(JSON.parse(json) as RichDocument);
}
