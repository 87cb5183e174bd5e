import { ServiceAccess } from '@scriptorium/access';
import { issueMemberVisitorToken, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { SignJWT } from 'jose';
import type * as z from 'zod';
import { site as siteAggregate } from '../model/index.js';
import { integrationKeys } from './keys/integration-keys.queries.js';
import { publishingAuth, type PublishingAuthState } from './publishing-auth.js';
import { visitorKey } from './keys/visitor-keys.process.js';

const lifetimeSeconds = 3_600;

/** Tokens with which members are visitors of the site that their organization shows first. */
@Controller()
export class MemberTokenController {
  constructor(private readonly access: ServiceAccess) {}

  /** Nothing for a site that does not ask who its visitors are. */
  @Handles(issueMemberVisitorToken)
  async issue(
    { organization, site, user, role }: z.output<(typeof issueMemberVisitorToken)['input']>,
    call: Call<Principal | null>,
  ): Promise<{ token?: string }> {
    const [state, auth] = await Promise.all([
      call.store.load(siteAggregate, site),
      call.store.load(publishingAuth, site),
    ]);
    if (state.status === 'absent' || state.organization !== organization) return {};
    if (state.visibility !== 'visitor-auth' && !state.adaptiveContent) return {};
    const key = await this.keyOf(call, { organization, site, auth });
    if (key === undefined) return {};
    const now = Math.floor(call.now() / 1_000);
    const token = await new SignJWT({ ...(role === null ? {} : { role }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(new TextEncoder().encode(key));
    return { token };
  }

  /** The key that signs tokens of the visitors now. */
  private async keyOf(
    call: Call<Principal | null>,
    { organization, site, auth }: { organization: string; site: string; auth: PublishingAuthState },
  ): Promise<string | undefined> {
    if (auth.integration === null) return visitorKey(call, site, auth.version);
    const { installation } = auth.integration;
    const [key] = await integrationKeys(call, this.access, { organization, site, installation });
    return key;
  }
}
