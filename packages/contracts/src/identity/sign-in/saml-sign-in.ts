import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { anonymousOperation } from '../../kernel/operation.js';

const base = { service: 'identity', tag: 'Single sign-on' } as const;
const params = z.object({ samlProviderId: Id });

/** Limits in bytes: the XML of a message of an identity provider, its base64, and the form that contains it. */
export const samlBounds = { xml: 192 * 1024, message: 256 * 1024, form: 512 * 1024 } as const;

export const getSAMLServiceMetadata = anonymousOperation({
  ...base,
  id: 'getSAMLServiceMetadata',
  method: 'GET',
  path: '/sso/saml/{samlProviderId}/metadata',
  summary: 'Get what an identity provider has to know of this service (SAML 2.0 metadata)',
  params,
  response: z.string(),
  produces: 'application/samlmetadata+xml',
});

export const startSAMLSignIn = anonymousOperation({
  ...base,
  id: 'startSAMLSignIn',
  method: 'GET',
  path: '/sso/saml/{samlProviderId}/start',
  summary: 'Send a browser to an identity provider to sign in',
  params,
  query: z.object({
    connect: z
      .boolean()
      .optional()
      .meta({ description: 'Connect what the provider says to the account of the present session.' }),
  }),
  status: 302,
  browser: true,
  reasons: ['unauthenticated', 'forbidden', 'sso_unavailable'],
});

export const finishSAMLSignIn = anonymousOperation({
  ...base,
  id: 'finishSAMLSignIn',
  method: 'POST',
  path: '/sso/saml/{samlProviderId}/acs',
  summary:
    'Take the answer of an identity provider (SAML 2.0, HTTP-POST), and begin a session that is good for its organization',
  params,
  body: z.object({
    SAMLResponse: z
      .string()
      .min(1)
      .max(samlBounds.message)
      .regex(/^[A-Za-z0-9+/=\s]+$/, 'Must be base64'),
    RelayState: z.string().max(80).meta({ description: 'As the request had it.' }),
  }),
  consumes: 'application/x-www-form-urlencoded',
  bodyLimit: samlBounds.form,
  status: 302,
  browser: true,
  reasons: ['unauthenticated', 'forbidden', 'already_exists', 'limit_reached', 'sso_unavailable'],
});

/**
 * The page of the gateway to which a signed-in browser is redirected. It is not below a path to which its session
 * cookie is sent.
 */
export const arrivedPath = '/sign-in/arrived';
