import { ServiceAccess } from '@scriptorium/access';
import { authenticateContentToken, type Principal } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { levelsOn, site as siteAggregate, type ActiveSite } from '../model/index.js';
import { linkWithKey } from '../share-links/index.js';
import { authGeneration, publishingAuth } from '../visitor-auth/index.js';
import { spacesIn } from './inside.queries.js';
import { shownToVisitor } from './lookup/shown-to-visitor.queries.js';

/** What content tokens open now. */
@Controller()
export class ContentTokensController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(authenticateContentToken)
  async authenticate(
    token: z.output<(typeof authenticateContentToken)['input']>,
    call: Call<Principal | null>,
  ): Promise<{ spaces: string[] | null }> {
    const { site: id, shareKey, draft } = token;
    // From the log, and not from a read model that may show a moment ago: gateways keep the answer.
    const [state, auth] = await Promise.all([call.store.load(siteAggregate, id), call.store.load(publishingAuth, id)]);
    const closed = { spaces: null };
    if (state.status === 'absent' || state.organization !== token.organization) return closed;
    if (state.generation + authGeneration(auth) !== token.generation) return closed;
    if (draft === undefined) {
      if (!state.published) return closed;
      const needsKey = state.visibility === 'share-link';
      if (needsKey && linkWithKey(call, { site: id, links: state.links }, shareKey ?? '') === undefined) return closed;
    }
    const claims = token.claims as Claims;
    const seen = await shownToVisitor(call, this.access, state, { claims, type: token.visitorType, draft });
    const spaces = spacesIn(seen);
    if (token.changeRequest !== undefined || token.revision !== undefined)
      return spaces.includes(token.space) ? { spaces: [token.space] } : closed;
    if (draft !== undefined && !(await this.mayViewSite(call, state, draft))) return closed;
    return { spaces };
  }

  private async mayViewSite(
    call: Call<Principal | null>,
    { organization, grants }: ActiveSite,
    user: string,
  ): Promise<boolean> {
    const place = await this.access.placeIn(call, organization, { id: user });
    if (place === null || place.withoutSSO) return false;
    const [level = null] = await levelsOn(call, this.access, place, [grants]);
    return level !== null;
  }
}
