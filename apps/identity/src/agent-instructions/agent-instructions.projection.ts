import { projection, type Write } from '@scriptorium/event-sourcing';
import { agentInstructionsEvents } from './agent-instructions.events.js';
import { organizationEvents } from '../events/index.js';

export interface AgentInstructionsDocument {
  /** The rich document as JSON, since callers choose the names in it. */
  document: string;
  updatedAt: string;
  updatedBy: string;
}

const deletion = organizationEvents.pick('OrganizationDeleted');

export const agentInstructionsDocs = projection({
  name: 'agent_instructions',
  version: 2,
  entities: ['identity.instructions', 'identity.organization'],
  events: [agentInstructionsEvents, deletion],
  history: { of: 'identity.instructions' },
  writes: (event): Write<AgentInstructionsDocument>[] => {
    const { entityId, meta } = event;
    if (event.type === 'OrganizationDeleted') return [{ remove: entityId }];
    return [{ put: entityId, doc: { document: event.data.document, updatedAt: meta.time, updatedBy: meta.actor.id } }];
  },
});
