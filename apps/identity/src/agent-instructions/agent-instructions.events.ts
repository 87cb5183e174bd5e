import { agentInstructionsEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const agentInstructionsEvents = defineEvents(agentInstructionsEventSchemas);
export type AgentInstructionsEvent = EventOf<typeof agentInstructionsEvents>;
