import { createHash } from 'node:crypto';
import {
  AppError,
  arrivedPath,
  finishSAMLSignIn,
  getSAMLServiceMetadata,
  startSAMLSignIn,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, Redirect, WithSession, withStore, type Call } from '@scriptorium/platform';
import { beginSession, credentials, findSession, recordSignIn } from '../../accounts/index.js';
import { asPerson } from '../../organizations/index.js';
import { Sweeper } from '../../attempts/index.js';
import { addressesOf, samlProviders } from '../../organization-read-models/index.js';
import { activeProvider, sso } from '../providers/sso.js';
import { completeSignIn } from './complete-sign-in.process.js';
import { checkResponse, readAssertion } from './assertion.js';
import { readMessage } from './message.js';
import { SignaturePolicy } from './saml.settings.js';
import { refused } from './refusals.js';
import { openRequest, takeRequest, useAssertion } from './requests.operational.js';
import { metadataOf, requestId, requestURL, verifySignature } from './service-provider.js';

type Finish = InputOf<typeof finishSAMLSignIn>;

@Controller()
export class SAMLController {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly policy: SignaturePolicy,
  ) {}

  /** Also for an incomplete provider: the metadata is needed to obtain the missing settings. */
  @Handles(getSAMLServiceMetadata)
  async metadata({ params }: InputOf<typeof getSAMLServiceMetadata>, call: Call<Principal | null>) {
    const id = params.samlProviderId;
    await this.organizationOf(call, id);
    return metadataOf(addressesOf(call, id), id);
  }

  @Handles(startSAMLSignIn)
  async start({ params, query }: InputOf<typeof startSAMLSignIn>, call: Call<Principal | null>) {
    const provider = params.samlProviderId;
    const { settings } = await this.provider(call, provider);
    await this.sweeper.schedule(call.store.context.correlation);
    const user = query.connect === true ? await this.connectingUser(call) : null;
    const relay = await openRequest(call, {
      provider,
      browser: call.client.browser ?? '',
      user,
      address: call.client.address,
    });
    return new Redirect(await requestURL(settings, addressesOf(call, provider), relay));
  }

  /** The request is removed first, so that only one response is accepted, valid or not. */
  @Handles(finishSAMLSignIn)
  async finish({ params, body }: Finish, call: Call<Principal | null>) {
    const provider = params.samlProviderId;
    const { settings, organization } = await this.provider(call, provider);
    const request = await takeRequest(call, {
      _id: body.RelayState,
      provider,
      browser: call.client.browser ?? 'none',
    });
    if (request === null) throw refused('request');
    const message = readMessage(body.SAMLResponse);
    const addresses = addressesOf(call, provider);
    const expected = {
      issuer: settings.entityID,
      audience: addresses.entityID,
      recipient: addresses.acsURL,
      request: requestId(request._id),
      now: call.now(),
    };
    checkResponse(message.response, expected);
    const asserted = readAssertion(await verifySignature(message, settings, addresses, this.policy.signed), expected);
    const assertionKey = createHash('sha256')
      .update(JSON.stringify([provider, asserted.id]))
      .digest('base64url');
    if (!(await useAssertion(call, assertionKey, asserted.expiresAt))) throw refused('replay');
    const user = await completeSignIn(withStore(call, call.store.in(organization)), {
      organization,
      provider,
      settings,
      asserted,
      connect: request.user,
    });
    return this.signIn(user, organization, call);
  }

  private async signIn(user: string, organization: string, call: Call<Principal | null>) {
    await asPerson(call, user).store.handle(credentials, user, (state) => recordSignIn(state, { method: 'saml' }));
    const { text } = await beginSession(call, {
      user,
      method: 'saml',
      organization,
      client: call.client.agent,
    });
    return new WithSession(new Redirect(arrivedPath), text);
  }

  /** The user who connects their account. They need a session that was not begun by a provider. */
  private async connectingUser(call: Call<Principal | null>): Promise<string> {
    const [id = '', hash = ''] = (call.client.session ?? '').split('.');
    const found = id === '' ? undefined : await findSession(call, id, hash);
    if (found?.kind !== 'valid')
      throw new AppError('unauthenticated', [], { message: 'Sign in to the account first, then connect it' });
    if (found.session.organization !== null)
      throw new AppError('forbidden', [], {
        message: 'A session that began with single sign-on cannot connect an account',
      });
    return found.session.user;
  }

  private async organizationOf(call: Call<Principal | null>, provider: string): Promise<string> {
    const known = await call.store.read(samlProviders).byId(provider);
    if (known === null) throw new AppError('not_found');
    return known.organization;
  }

  private async provider(call: Call<Principal | null>, id: string) {
    const organization = await this.organizationOf(call, id);
    return { organization, settings: activeProvider(await call.store.load(sso, organization), id) };
  }
}
