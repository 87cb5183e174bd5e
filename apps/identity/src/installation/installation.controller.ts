import { bootstrapInstallation } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, derivedId, step, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { foundOrganization } from '../organizations/found-organization.process.js';
import { createToken, credentials } from '../tokens/credentials.js';
import { registerUser } from '../users/register-user.process.js';
import { claim, installation, installationId } from './installation.js';

type Input = z.output<(typeof bootstrapInstallation)['input']>;

/** The first user, organization and token of an installation (ruling 3). */
@Controller()
export class InstallationController {
  constructor(private readonly context: ServiceContext) {}

  /**
   * Made so that it can be repeated with the same token until it succeeds: ids and idempotency keys derive from the
   * token's id. Any other token finds the installation claimed: `conflict`.
   */
  @Handles(bootstrapInstallation)
  async bootstrap({ user, organization, token }: Input, call: InternalCall) {
    const userId = derivedId('first user', token.id);
    const organizationId = derivedId('first organization', token.id);
    const command = systemCommand(call, token.id);
    await this.context.store.handle(installation, installationId, command, (state) =>
      claim(state, { user: userId, organization: organizationId, token: token.id }),
    );
    await registerUser(
      this.context,
      userId,
      { ...user, emailVerified: true, kind: 'person', operator: true },
      step(command, 'user'),
    );
    await foundOrganization(
      this.context,
      { id: organizationId, title: organization.title, emailDomains: [], creator: userId },
      { ...step(command, 'organization'), organization: organizationId },
    );
    const { id, hash, label } = token;
    await this.context.store.handle(credentials, userId, step(command, 'token'), (state) =>
      createToken(state, { token: { token: id, hash, label }, limit: this.context.limits.tokensPerUser, now: this.context.now() }),
    );
    return { user: { id: userId }, organization: { id: organizationId } };
  }
}

function systemCommand(call: InternalCall, token: string): CommandContext {
  return {
    actor: { kind: 'system', id: 'installation' },
    organization: null,
    operation: call.operation,
    correlation: call.requestId,
    deadline: call.deadline,
    idem: `bootstrap:${token}`,
  };
}
