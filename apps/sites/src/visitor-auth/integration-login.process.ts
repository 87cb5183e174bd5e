import { AppError, findVisitorLogin, invalid, type VisitorLoginState } from '@scriptorium/contracts';
import { ask, type Asking } from '@scriptorium/platform';
import type { PublishingAuthState } from './publishing-auth.js';

type Login = NonNullable<PublishingAuthState['integration']>;

interface SiteOf {
  organization: string;
  site: string;
}

const whyNot: Readonly<Record<Exclude<VisitorLoginState, 'ready'>, string>> = {
  not_installed: 'Must be the name of an integration that is installed on the site',
  scope_missing: 'The integration does not have the scope `site:visitor:auth`',
  pending: 'The installation is pending: configure it, or allow what its integration asks for, first',
  paused: 'The installation is paused: resume it first',
};

/** The installation of an integration that can sign in the visitors of a site. @throws AppError `invalid_request` */
export async function requireLogin(asking: Asking, { organization, site }: SiteOf, name: string): Promise<Login> {
  const { state, installation } = await ask(asking, findVisitorLogin, { organization, site, integration: name });
  if (state !== 'ready') throw invalid('body.integration', whyNot[state]);
  if (installation === undefined) throw new AppError('unavailable');
  return { name, installation };
}

/**
 * Where an installation signs in the visitors of a site. @throws AppError `unavailable` when it does not: nobody is let
 * in meanwhile
 */
export async function loginAddress(
  asking: Asking,
  { organization, site }: SiteOf,
  { name, installation }: Login,
): Promise<URL> {
  const found = await ask(asking, findVisitorLogin, { organization, site, integration: name });
  if (found.state === 'ready' && found.installation === installation && found.login !== undefined)
    return new URL(found.login);
  const message = 'Visitors cannot sign in right now, since the integration that signs them in does not answer';
  throw new AppError('unavailable', [], { message, retryAfter: 5 });
}
