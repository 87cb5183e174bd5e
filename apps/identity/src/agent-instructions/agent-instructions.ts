import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { hash, type RichDocument } from '@scriptorium/rich-text';
import { type AgentInstructionsEvent, agentInstructionsEvents } from '../events/index.js';

/** What the agents of an organization are told; null until somebody writes it. */
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

/** Nothing when it says the same, in whatever order its properties stand. */
export function replaceInstructions(state: Instructions, input: { document: string }): AgentInstructionsEvent[] {
  if (state.document !== null && hashOf(state.document) === hashOf(input.document)) return [];
  return [{ type: 'AgentInstructionsReplaced', data: input }];
}

function hashOf(json: string): string {
  return hash(JSON.parse(json) as RichDocument);
}
