import {
  getOrganizationAgentInstructions,
  updateOrganizationAgentInstructions,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { agentInstructions, replaceInstructions } from './agent-instructions.js';
import { findInstructions, getInstructions } from './agent-instructions.queries.js';
import { readInstructions } from './read-instructions.js';

@Controller()
export class AgentInstructionsController {
  @Handles(getOrganizationAgentInstructions)
  get({ params, query }: InputOf<typeof getOrganizationAgentInstructions>, call: Call) {
    return getInstructions(call, params.organizationId, query.format);
  }

  @Handles(updateOrganizationAgentInstructions)
  async replace({ params, query, body }: InputOf<typeof updateOrganizationAgentInstructions>, call: Call) {
    const organization = params.organizationId;
    const previous = await findInstructions(call, organization);
    const document = JSON.stringify(readInstructions(body.instructions, previous));
    await call.store.handle(agentInstructions, organization, (state) => replaceInstructions(state, { document }));
    return getInstructions(call, organization, query.format);
  }
}
