import * as z from 'zod';

/** Stream `identity.instructions-<organization>`: what agents are told. */
export const agentInstructionsEventSchemas = {
  /** `document`: the rich document as JSON. */
  AgentInstructionsReplaced: z.object({ document: z.string() }),
};
