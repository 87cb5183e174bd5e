import { createHash } from 'node:crypto';
import { AppError, arrivedPath, finishSAMLSignIn, getSAMLServiceMetadata, startSAMLSignIn, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, Redirect, ServiceContext, WithSession, type InternalCall } from '@scriptorium/platform';
import { beginSession, findSession } from '../sessions/sessions.operational.js';
import { ownCommand } from '../sign-in/own-command.process.js';
import { Sweeper } from '../sign-in/sweep.timer.js';
import { samlProviders } from '../sso/saml-provider.projection.js';
import { activeProvider, sso } from '../sso/sso.js';
import { credentials, noteSignIn } from '../tokens/credentials.js';
import { arrive } from './arrive.process.js';
import { checkResponse, readAssertion } from './assertion.js';
import { readMessage } from './message.js';
import { refused } from './refusals.js';
import { openRequest, takeRequest, useAssertion } from './requests.operational.js';
import { addressesOf, metadataOf, requestId, requestURL, verified } from './service-provider.js';

type Finish = InputOf<typeof finishSAMLSignIn>;

@Controller()
export class SAMLController {
  constructor(
    private readonly context: ServiceContext,
    private readonly sweeper: Sweeper,
  ) {}

  /** Also of a provider that is not complete yet: it is completed by what the other side makes of this. */
  @Handles(getSAMLServiceMetadata)
  async metadata({ params }: InputOf<typeof getSAMLServiceMetadata>) {
    const id = params.samlProviderId;
    await this.organizationOf(id);
    return metadataOf(addressesOf(this.context, id), id);
  }

  @Handles(startSAMLSignIn)
  async start({ params, query }: InputOf<typeof startSAMLSignIn>, call: InternalCall) {
    const provider = params.samlProviderId;
    const { settings } = await this.provider(provider);
    await this.sweeper.arrange(call.requestId);
    const user = query.connect === true ? await this.connecting(call) : null;
    const relay = await openRequest(this.context, { provider, browser: call.client.browser ?? '', user, address: call.client.address });
    return new Redirect(await requestURL(settings, addressesOf(this.context, provider), relay));
  }

  /** The request is taken out first: whatever comes of the answer, there is no second one. */
  @Handles(finishSAMLSignIn)
  async finish({ params, body }: Finish, call: InternalCall) {
    const provider = params.samlProviderId;
    const { settings, organization } = await this.provider(provider);
    const request = await takeRequest(this.context, { _id: body.RelayState, provider, browser: call.client.browser ?? 'none' });
    if (request === null) throw refused('request');
    const message = readMessage(body.SAMLResponse);
    const addresses = addressesOf(this.context, provider);
    const expected = {
      issuer: settings.entityID, audience: addresses.entityID, recipient: addresses.acsURL, request: requestId(request._id), now: this.context.now(),
    };
    checkResponse(message.response, expected);
    const asserted = readAssertion(await verified(message, settings, addresses, this.context.saml.signed), expected);
    const once = createHash('sha256').update(JSON.stringify([provider, asserted.id])).digest('base64url');
    if (!(await useAssertion(this.context, once, asserted.expiresAt))) throw refused('replay');
    const commandOf = (person: string) => ownCommand(call, person, organization);
    const user = await arrive(this.context, { organization, provider, settings, asserted, connect: request.user, commandOf });
    return this.admit(user, organization, call);
  }

  private async admit(user: string, organization: string, call: InternalCall) {
    await this.context.store.handle(credentials, user, ownCommand(call, user, null), (state) => noteSignIn(state, { method: 'saml' }));
    const { text } = await beginSession(this.context, { user, method: 'saml', organization, client: call.client.agent });
    return new WithSession(new Redirect(arrivedPath), text);
  }

  /** Who connects their account proves that it is theirs by a session that no provider vouches for. */
  private async connecting({ client }: InternalCall): Promise<string> {
    const [id = '', hash = ''] = (client.session ?? '').split('.');
    const found = id === '' ? undefined : await findSession(this.context, id, hash);
    if (found?.kind !== 'good') throw new AppError('unauthenticated', [], { message: 'Sign in to the account first that is to be connected' });
    if (found.session.organization !== null) throw new AppError('forbidden', [], { message: 'This session works in one organization alone' });
    return found.session.user;
  }

  private async organizationOf(provider: string): Promise<string> {
    const known = await this.context.store.collection(samlProviders).byId(provider);
    if (known === null) throw new AppError('not_found');
    return known.organization;
  }

  private async provider(id: string) {
    const organization = await this.organizationOf(id);
    return { organization, settings: activeProvider(await this.context.store.load(sso, organization), id) };
  }
}
