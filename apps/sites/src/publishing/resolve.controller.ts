import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getPublishedContentByUrl,
  redirectMaxAgeSeconds,
  resolvePublishedContentByUrl,
  type InputOf,
  type PublishedContent,
  type PublishedRedirect,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, Reply, type Call } from '@scriptorium/platform';
import { Publishing } from '../model/index.js';
import { VisitorTokenRules } from '../visitor-auth/index.js';
import { AddressCache } from './lookup/address-cache.process.js';
import { resolvePublished, type AskedUrl } from './resolve.process.js';

/** What published addresses lead to. */
@Controller()
export class ResolveController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
    readonly cache: AddressCache,
    readonly rules: VisitorTokenRules,
  ) {}

  @Handles(resolvePublishedContentByUrl)
  async resolve({ body }: InputOf<typeof resolvePublishedContentByUrl>, call: Call<Principal | null>) {
    const { url, visitor = {}, redirectOnError } = body;
    const found = await this.find(
      call,
      { url, ...visitor, field: body.visitor === undefined ? 'body.url' : 'body.visitor' },
      redirectOnError === true,
    );
    return new Reply(found, 'redirect' in found ? { maxAgeSeconds: redirectMaxAgeSeconds } : {});
  }

  @Handles(getPublishedContentByUrl)
  async get({ query }: InputOf<typeof getPublishedContentByUrl>, call: Call<Principal | null>) {
    const { url, visitorAuthToken: jwtToken, redirectOnError } = query;
    return this.find(call, { url, jwtToken, field: 'query.visitorAuthToken' }, redirectOnError === true);
  }

  private async find(
    call: Call<Principal | null>,
    asked: AskedUrl,
    redirects: boolean,
  ): Promise<PublishedContent | PublishedRedirect> {
    try {
      return await resolvePublished(call, this, asked);
    } catch (error) {
      if (!redirects || !(error instanceof AppError) || error.reason !== 'not_found') throw error;
      return { target: 'application', redirect: call.urls.app };
    }
  }
}
