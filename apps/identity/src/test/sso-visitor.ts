import { visitor, type Visitor } from './browser.js';
import type { AnswerForm, AnswerContent, TestProvider } from './identity-provider.js';
import type { Rig } from './rig.js';

/** A browser that visits an identity provider and returns with its response. */
export interface SSOVisitor extends Visitor {
  /** Visits the provider, and posts its response to the service. */
  signInThrough(provider: string, says: AnswerContent, query?: string): Promise<Response>;
  /** Visits the provider, and returns the form with its response. */
  requestAnswer(provider: string, says: AnswerContent, query?: string, to?: TestProvider): Promise<AnswerForm>;
  /** Posts a form with a response. `accept`: the content type that the browser accepts. */
  post(form: AnswerForm, accept?: string): Promise<Response>;
}

/** Returns the function with which a provider reads the metadata of the service. */
export function metadataOver(rig: Rig): (entityID: string) => Promise<string> {
  return (entityID) => rig.text(`${entityID.slice(entityID.indexOf('/sso/'))}/metadata`);
}

export function ssoVisitor(rig: Rig, idp: TestProvider): SSOVisitor {
  const one = visitor(rig);
  let browser = '';
  const leave = async (provider: string, says: AnswerContent, query = '', to = idp): Promise<AnswerForm> => {
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
    to.answerWith(says);
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
  return {
    ...one,
    requestAnswer: leave,
    post,
    signInThrough: async (provider, says, query) => post(await leave(provider, says, query)),
  };
}
