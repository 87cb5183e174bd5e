import {
  authenticateSCIMToken,
  blaming,
  createOrganizationSCIMToken,
  deleteOrganizationSCIMToken,
  invalid,
  listOrganizationSCIMTokens,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Announcer, Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { newToken } from '@scriptorium/platform/token-secret';
import type * as z from 'zod';
import { sameHash, UseTracker } from '../../accounts/index.js';
import { hasActiveProvider } from '../../organization-read-models/index.js';
import { createToken, hashOfToken, provisioning, revokeToken } from '../provisioning.js';
import { scimTokens } from './scim-token.projection.js';
import { getSCIMToken, listSCIMTokens } from './scim-tokens.queries.js';

type Authentication = z.output<(typeof authenticateSCIMToken)['input']>;
type Authenticated = z.input<(typeof authenticateSCIMToken)['response']>;

@Controller()
export class SCIMTokensController {
  readonly #uses = new UseTracker();

  constructor(private readonly announcer: Announcer) {}

  @Handles(listOrganizationSCIMTokens)
  list({ params, query }: InputOf<typeof listOrganizationSCIMTokens>, call: Call) {
    return listSCIMTokens(call, { ...query, organization: params.organizationId, operation: call.operation });
  }

  @Handles(createOrganizationSCIMToken)
  async create({ params, body }: InputOf<typeof createOrganizationSCIMToken>, call: Call) {
    if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= call.now())
      throw invalid('body.expiresAt', 'Must be in the future');
    // Without a provider nobody who is provisioned could sign in.
    if (!(await hasActiveProvider(call, params.organizationId)))
      throw blaming('sso_unavailable', 'params.organizationId');
    const { id, token, hash } = newToken('scim');
    const done = await call.store.handle(provisioning, params.organizationId, (state) =>
      createToken(state, { token: { token: id, hash, ...body }, now: call.now() }),
    );
    // A repeated request finds the token of the first one. Only the answer to the first request contained the secret.
    const made = done.events.flatMap((event) => (event.type === 'SCIMTokenCreated' ? [event.data.token] : []))[0] ?? id;
    return {
      ...(await readAfterCreate(call, () => getSCIMToken(call, made))),
      ...(done.repeated ? {} : { token }),
    };
  }

  @Handles(deleteOrganizationSCIMToken)
  async revoke({ params }: InputOf<typeof deleteOrganizationSCIMToken>, call: Call) {
    const { events } = await call.store.handle(provisioning, params.organizationId, (state) =>
      revokeToken(state, { token: params.scimTokenId }),
    );
    if (events.length > 0) this.announcer.changed(params.scimTokenId);
    return events.length > 0;
  }

  @Handles(authenticateSCIMToken)
  async authenticate({ id, hash }: Authentication, call: Call<Principal | null>): Promise<Authenticated> {
    const token = await call.store.read(scimTokens).findOne({ _id: id });
    if (token === null) return { principal: null };
    const { organization, expiresAt } = token;
    // From the log, which shows a revocation before the read model does.
    const state = await call.store.load(provisioning, organization);
    const held = hashOfToken(state, { token: id, now: call.now() });
    if (held === undefined || !sameHash(held, hash)) return { principal: null };
    this.#uses.track(id, call);
    return {
      principal: { kind: 'provisioner', id, token: { id, kind: 'scim', expiresAt }, organization, operator: false },
    };
  }
}
