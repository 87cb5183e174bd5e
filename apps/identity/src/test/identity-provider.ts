import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import samlify from 'samlify';
import { newProviderKey, type ProviderKey } from './certificates.js';

const { Constants, IdentityProvider, SamlLib, ServiceProvider, Utility, setSchemaValidator } = samlify;
setSchemaValidator({ validate: () => Promise.resolve('not checked') });

/** The content of a SAML response, and how it is signed. */
export interface AnswerContent {
  email: string;
  firstName?: string;
  lastName?: string;
  /** Values of the response by the names that samlify's template has for them. */
  tags?: Record<string, string>;
  /** Changes the response before it is signed. */
  before?: (xml: string) => string;
  /** Changes the response after it is signed. */
  after?: (xml: string) => string;
  signed?: 'both' | 'assertion' | 'response' | 'nothing';
  algorithm?: string;
  key?: ProviderKey;
}

/** The form with which the browser sends the response of a provider. */
export interface AnswerForm {
  action: string;
  SAMLResponse: string;
  RelayState: string;
}

/** An identity provider on a local address, built with samlify. */
export interface TestProvider {
  key: ProviderKey;
  /** The settings of this provider, as an organization enters them. */
  settings: { entityID: string; ssoURL: string; certificate: string };
  /** Sets the content of the next response. */
  answerWith(says: AnswerContent): void;
  /** Follows a redirect to the provider and returns the form of its page. */
  visit(location: string): Promise<AnswerForm>;
  stop(): Promise<void>;
}

const minute = 60_000;
const attributes = `<saml:AttributeStatement><saml:Attribute Name="first_name"><saml:AttributeValue>{FirstName}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="last_name"><saml:AttributeValue>{LastName}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;

/**
 * `metadataOf`: returns the metadata of the service for the entity id in a request. `host`: the host name of the
 * provider; `localhost` is another site than `127.0.0.1`.
 */
export async function startIdentityProvider(
  metadataOf: (entityID: string) => Promise<string>,
  host = '127.0.0.1',
): Promise<TestProvider> {
  const key = newProviderKey();
  let next: AnswerContent = { email: 'nobody@example.org' };
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '', settings.ssoURL)).then(
      (form) => response.setHeader('content-type', 'text/html').end(pageOf(form)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://${host}:${(server.address() as AddressInfo).port}`;
  const settings = { entityID: `${base}/metadata`, ssoURL: `${base}/sso?tenant=1`, certificate: key.certificate };
  const answer = async ({ searchParams }: URL): Promise<AnswerForm> => {
    const query = Object.fromEntries(searchParams);
    const issuer = /<saml:Issuer[^>]*>([^<]+)</.exec(Utility.inflateString(query['SAMLRequest'] ?? ''))?.[1] ?? '';
    const metadata = await metadataOf(issuer);
    const idp = providerOf({ settings, key }, {});
    const { extract } = await idp.parseLoginRequest(ServiceProvider({ metadata }), 'redirect', { query });
    const request = String(extract.request?.['id']);
    const { action, SAMLResponse } = await respond({ settings, key, metadata, request }, next);
    return { action, SAMLResponse, RelayState: query['RelayState'] ?? '' };
  };
  return {
    key,
    settings,
    answerWith: (says) => void (next = says),
    async visit(location) {
      const response = await fetch(location);
      const text = await response.text();
      if (!response.ok) throw new Error(`the provider answered ${text}`);
      const value = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
      return {
        action: /action="([^"]*)"/.exec(text)?.[1] ?? '',
        SAMLResponse: value('SAMLResponse'),
        RelayState: value('RelayState'),
      };
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The page with which the browser sends the response. */
function pageOf({ action, SAMLResponse, RelayState }: AnswerForm): string {
  const input = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}">`;
  return `<!doctype html><form method="post" action="${action}">${input('SAMLResponse', SAMLResponse)}${input('RelayState', RelayState)}<button>Go on</button></form>`;
}

/** The request that a response answers, and the provider that answers it. */
export interface AnsweredRequest extends Pick<TestProvider, 'settings' | 'key'> {
  /** The metadata of the service that sent the request. */
  metadata: string;
  /** Id of the request. */
  request: string;
}

/** The response of a provider. */
export async function respond(
  asked: AnsweredRequest,
  says: AnswerContent,
): Promise<Pick<AnswerForm, 'action' | 'SAMLResponse'>> {
  const { signed = 'both', before = same, after = same } = says;
  const metadata = asked.metadata.replace(
    'WantAssertionsSigned="true"',
    `WantAssertionsSigned="${signed === 'both' || signed === 'assertion'}"`,
  );
  const sp = ServiceProvider({ metadata, wantMessageSigned: signed === 'both' || signed === 'response' });
  const action = String(sp.entityMeta.getAssertionConsumerService('post'));
  const fill = (template: string) => ({
    id: '_r',
    context: before(filled(template, { ...asked, audience: sp.entityMeta.getEntityID(), action, says })),
  });
  const xml = signed === 'nothing' ? fill(SamlLib.defaultLoginResponseTemplate.context).context : await made();
  return { action, SAMLResponse: Buffer.from(after(xml)).toString('base64') };

  async function made(): Promise<string> {
    const { context } = await providerOf(asked, says).createLoginResponse(
      sp,
      { extract: {} },
      'post',
      { email: says.email },
      fill,
    );
    return Buffer.from(context, 'base64').toString();
  }
}

function providerOf(
  { settings, key }: Pick<TestProvider, 'settings' | 'key'>,
  { algorithm, key: own = key }: Pick<AnswerContent, 'algorithm' | 'key'>,
) {
  const [redirect, location] = [Constants.namespace.binding.redirect, settings.ssoURL];
  return IdentityProvider({
    entityID: settings.entityID,
    privateKey: own.privateKey,
    signingCert: own.certificate,
    isAssertionEncrypted: false,
    ...(algorithm === undefined ? {} : { requestSignatureAlgorithm: algorithm }),
    nameIDFormat: [nameIDFormat],
    singleSignOnService: [{ Binding: redirect, Location: location }],
    singleLogoutService: [{ Binding: redirect, Location: location }],
  });
}

function same(xml: string): string {
  return xml;
}

const nameIDFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

function filled(
  template: string,
  {
    settings,
    request,
    audience,
    action,
    says,
  }: AnsweredRequest & { audience: string; action: string; says: AnswerContent },
): string {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const tags: Record<string, string> = {
    ID: `_${randomUUID()}`,
    AssertionID: `_${randomUUID()}`,
    Destination: action,
    Audience: audience,
    SubjectRecipient: action,
    Issuer: settings.entityID,
    IssueInstant: at(0),
    StatusCode: Constants.StatusCode.Success,
    ConditionsNotBefore: at(-minute),
    ConditionsNotOnOrAfter: at(5 * minute),
    SubjectConfirmationDataNotOnOrAfter: at(5 * minute),
    NameIDFormat: nameIDFormat,
    NameID: says.email,
    InResponseTo: request,
    AuthnStatement: '',
    FirstName: says.firstName ?? '',
    LastName: says.lastName ?? '',
    ...says.tags,
  };
  return SamlLib.replaceTagsByValue(template.replace('{AttributeStatement}', attributes), tags);
}
