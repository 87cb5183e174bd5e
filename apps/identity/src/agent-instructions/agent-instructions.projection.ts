import { projection } from '@scriptorium/event-sourcing';
import { agentInstructionsEvents } from './agent-instructions.events.js';

export interface AgentInstructionsDocument {
  /** The rich document as JSON: names in it are the callers' own. */
  document: string;
  updatedAt: string;
  updatedBy: string;
}

export const agentInstructionsDocs = projection({
  name: 'agent_instructions',
  version: 1,
  entities: ['identity.instructions'],
  events: [agentInstructionsEvents],
  writes: ({ entityId, data, meta }): { put: string; doc: AgentInstructionsDocument }[] => [
    { put: entityId, doc: { document: data.document, updatedAt: meta.time, updatedBy: meta.actor.id } },
  ],
});
