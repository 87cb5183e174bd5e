import { defineDomain } from '@scriptorium/platform';
import { AgentInstructionsController } from './agent-instructions.controller.js';
import { agentInstructionsDocs } from './agent-instructions.projection.js';

/** The instructions for the agents of organizations. */
export const agentInstructions = defineDomain({
  name: 'agent-instructions',
  controllers: [AgentInstructionsController],
  projections: [agentInstructionsDocs],
});
