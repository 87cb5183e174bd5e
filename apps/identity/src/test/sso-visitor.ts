import { visitor, type Visitor } from './browser.js';
import type { AnswerForm, Says, TestProvider } from './identity-provider.js';
import type { Rig } from './rig.js';

/** Somebody at a browser who goes to an identity provider and comes back. */
export interface SSOVisitor extends Visitor {
  /** Goes to the provider, which says something, and back with the answer. */
  arrive(provider: string, says: Says, query?: string): Promise<Response>;
  /** The same as far as the form that the provider has the browser send. */
  leave(provider: string, says: Says, query?: string, to?: TestProvider): Promise<AnswerForm>;
  /** Posts an answer. `accept`: what kind of answer the browser wants. */
  post(form: AnswerForm, accept?: string): Promise<Response>;
}

/** Where a provider finds what it has to know of the service that asks it. */
export function metadataOver(rig: Rig): (entityID: string) => Promise<string> {
  return (entityID) => rig.text(`${entityID.slice(entityID.indexOf('/sso/'))}/metadata`);
}

export function ssoVisitor(rig: Rig, idp: TestProvider): SSOVisitor {
  const one = visitor(rig);
  let browser = '';
  const leave = async (provider: string, says: Says, query = '', to = idp): Promise<AnswerForm> => {
    const headers = {
      cookie: `scriptorium_browser=${browser}; scriptorium_session=${one.cookie()}`,
      'sec-fetch-site': 'same-origin',
    };
    const response = await fetch(`${rig.endpoint}/v1/sso/saml/${provider}/start${query}`, {
      headers,
      redirect: 'manual',
    });
    if (response.status !== 302) throw new Error(`starting answered ${response.status} ${await response.text()}`);
    browser = /scriptorium_browser=([0-9a-f]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? browser;
    to.says(says);
    return to.visit(response.headers.get('location') ?? '');
  };
  const post = async (
    { action, SAMLResponse, RelayState }: AnswerForm,
    accept = 'application/json',
  ): Promise<Response> => {
    const response = await fetch(action.replace('https://docs.example', rig.endpoint), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `scriptorium_browser=${browser}`, origin: 'null', accept },
      body: new URLSearchParams({ SAMLResponse, RelayState }),
    });
    const session = /scriptorium_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
    if (session !== undefined) one.keep(session);
    return response;
  };
  return { ...one, leave, post, arrive: async (provider, says, query) => post(await leave(provider, says, query)) };
}
