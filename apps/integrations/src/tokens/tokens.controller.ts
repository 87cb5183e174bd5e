import { installationStatus } from '@scriptorium/access';
import {
  AppError,
  authenticateIntegrationToken,
  createInstallationToken,
  type InputOf,
  type IntegrationTokenPayload,
  type Principal,
} from '@scriptorium/contracts';
import { keyedGet } from '@scriptorium/event-sourcing';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { demandsOf, installation as installationOf, requireInstallation, roster } from '../installations/index.js';
import { integration as integrationOf } from '../publishing/index.js';
import { tokenOfInstallation } from './issue-tokens.process.js';

type Answer = (typeof authenticateIntegrationToken)['response']['_output'];
const ended: Answer = { holds: null };

/** Tokens of installations, and whether tokens still hold. */
@Controller()
export class TokensController {
  @Handles(createInstallationToken)
  async create({ params }: InputOf<typeof createInstallationToken>, call: Call) {
    const { installation } = await requireInstallation(call, params);
    const { _id: id, integration, organization } = installation;
    const [published, state] = await Promise.all([
      call.store.load(integrationOf, integration),
      call.store.load(installationOf, id),
    ]);
    if (published.status !== 'published') throw new AppError('not_found');
    if (state.paused !== undefined)
      throw new AppError('forbidden', [], { message: 'The installation is paused: it has no tokens' });
    const generation = published.signing + (state.generation ?? 0);
    return { token: tokenOfInstallation(call, { integration, installation: id, organization, generation }) };
  }

  @Handles(authenticateIntegrationToken)
  async authenticate(token: IntegrationTokenPayload, call: Call<Principal | null>): Promise<Answer> {
    // From the log, and not from a read model that may show a moment ago: gateways keep the answer.
    const published = await call.store.load(integrationOf, token.integration);
    if (published.status !== 'published') return ended;
    const { organization: owner } = published.published;
    if (token.kind === 'integration')
      return published.signing === token.generation ? { holds: { scopes: [], organizations: [owner] } } : ended;
    const { installation: id, organization, generation } = token;
    const [{ installations }, state] = await Promise.all([
      call.store.load(roster, organization),
      call.store.load(installationOf, id),
    ]);
    const began = keyedGet(installations, id);
    if (began?.integration !== token.integration || state.paused !== undefined) return ended;
    if (published.signing + (state.generation ?? 0) !== generation) return ended;
    const { granted = began.grantedScopes, set = began.set } = state;
    const demands = demandsOf(published.published);
    const isActive = installationStatus({ granted, set }, demands) === 'active';
    const scopes = isActive ? granted.filter((scope) => demands.scopes.includes(scope)) : [];
    return { holds: { scopes, organizations: [organization, owner] } };
  }
}
