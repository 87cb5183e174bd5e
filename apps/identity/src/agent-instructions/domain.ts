import { defineDomain } from '@scriptorium/platform';
import { AgentInstructionsController } from './agent-instructions.controller.js';
import { agentInstructionsDocs } from './agent-instructions.projection.js';

/** What the agents of an organization are told. */
export const agentInstructions = defineDomain({
  name: 'agent-instructions',
  controllers: [AgentInstructionsController],
  projections: [agentInstructionsDocs],
});
