import { getOrganizationAgentInstructions, updateOrganizationAgentInstructions, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { agentInstructions, replaceInstructions } from './agent-instructions.js';
import { findInstructions, getInstructions } from './agent-instructions.queries.js';
import { readInstructions } from './read-instructions.js';

@Controller()
export class AgentInstructionsController {
  constructor(private readonly context: ServiceContext) {}

  @Handles(getOrganizationAgentInstructions)
  get({ params, query }: InputOf<typeof getOrganizationAgentInstructions>) {
    return getInstructions(this.context, params.organizationId, query.format);
  }

  @Handles(updateOrganizationAgentInstructions)
  async replace({ params, query, body }: InputOf<typeof updateOrganizationAgentInstructions>, call: Call) {
    const organization = params.organizationId;
    const previous = await findInstructions(this.context, organization);
    const document = JSON.stringify(readInstructions(body.instructions, previous));
    await this.context.store.handle(agentInstructions, organization, this.context.command(call, organization), (state) =>
      replaceInstructions(state, { document }),
    );
    return getInstructions(this.context, organization, query.format);
  }
}
