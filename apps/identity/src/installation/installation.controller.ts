import { bootstrapInstallation, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, derivedId, withStore, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { createOrganizationWithHostname } from '../organizations/index.js';
import {
  claimInstallation,
  createToken,
  credentials,
  installation,
  installationId,
  registerUser,
} from '../accounts/index.js';

type Input = z.output<(typeof bootstrapInstallation)['input']>;

/** Creates the first user, organization and token of an installation. */
@Controller()
export class InstallationController {
  /**
   * It can be repeated with the same token until it succeeds: ids and idempotency keys are derived from the id of the
   * token. With any other token it fails with `conflict`.
   */
  @Handles(bootstrapInstallation)
  async bootstrap({ user, organization, token }: Input, call: Call<Principal | null>) {
    const userId = derivedId('first user', token.id);
    const organizationId = derivedId('first organization', token.id);
    const store = call.store.as({ kind: 'system', id: 'installation' }).keyed(`bootstrap:${token.id}`);
    await store.handle(installation, installationId, (state) =>
      claimInstallation(state, { user: userId, organization: organizationId, token: token.id }),
    );
    const account = { ...user, emailVerified: true, kind: 'person', operator: true } as const;
    await registerUser(withStore(call, store.step('user')), userId, account);
    await createOrganizationWithHostname(withStore(call, store.step('organization').in(organizationId)), {
      id: organizationId,
      title: organization.title,
      emailDomains: [],
      creator: userId,
    });
    const { id, hash, label } = token;
    await store.step('token').handle(credentials, userId, (state) =>
      createToken(state, {
        token: { token: id, hash, label },
        limit: call.limits.tokensPerUser,
        now: call.now(),
      }),
    );
    return { user: { id: userId }, organization: { id: organizationId } };
  }
}
