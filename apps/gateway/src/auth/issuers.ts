import { createHash } from 'node:crypto';
import {
  AppError,
  authenticateContentToken,
  authenticateIntegrationToken,
  authenticateSCIMToken,
  authenticateSession,
  authenticateToken,
  parseSession,
  parseToken,
  previewsOf,
  type ContentTokenPayload,
  type IntegrationScope,
  type InternalOperation,
  type Principal,
  type Visitor,
} from '@scriptorium/contracts';
import { verifyContentToken, type VerifiedContentToken } from '@scriptorium/platform/content-token';
import { verifyIntegrationToken, type VerifiedIntegrationToken } from '@scriptorium/platform/integration-token';
import type { Keyring } from '@scriptorium/platform/keyring';
import type * as z from 'zod';
import type { Requester } from '../services/client.js';
import type { Credential } from './credential.js';
import { hashOf } from './cookies.js';

/** What the issuer of a credential answered. */
export interface Found {
  /** `null`: the credential is not valid. */
  principal: Principal | null;
  /** What announcements name when this caller may be allowed less, besides the user or the organization. */
  subjects?: readonly string[];
  /** Set for a session whose secret changed: its new text. */
  renewed?: string | undefined;
}

/** What issuers are asked with. `now`: ms since 1970. */
export interface IssuerDeps {
  client: Requester;
  keys: Keyring;
  now: () => number;
}

/** Asks who issued a credential. Only what is needed leaves the process: of tokens and sessions the SHA-256. */
export const issuers: Readonly<Record<Credential['kind'], (deps: IssuerDeps, text: string) => Promise<Found>>> = {
  token: async ({ client }, text) => {
    const parsed = parseToken(text);
    if (parsed === null) return { principal: null };
    const hash = hashOf(text);
    const { kind, id } = parsed;
    if (kind === 'scim') return ask(client, authenticateSCIMToken, { id, hash });
    return ask(client, authenticateToken, { kind, id, hash });
  },
  session: async ({ client }, text) => {
    const id = parseSession(text);
    return id === null ? { principal: null } : ask(client, authenticateSession, { id, hash: hashOf(text) });
  },
  content: async ({ client, keys, now }, text) => {
    const token = isOneSpelling(text) ? await verifyContentToken(keys, text, now()) : null;
    if (token === null) return { principal: null };
    const { spaces } = await ask(client, authenticateContentToken, token.payload);
    if (spaces === null) return { principal: null };
    const { draft, organization } = token.payload;
    const principal = visitorOf(token, spaces);
    // A preview opens no more than its maker may view.
    return draft === undefined ? { principal } : { principal, subjects: [previewsOf(organization)] };
  },
  integration: async ({ client, keys, now }, text) => {
    const token = verifyIntegrationToken(keys, text, now());
    if (token === null) return { principal: null };
    const { holds } = await ask(client, authenticateIntegrationToken, token.payload);
    if (holds === null) return { principal: null };
    return { principal: integrationOf(token, holds.scopes), subjects: holds.organizations };
  },
};

/**
 * Whether each part is written as base64url writes it. Bits that a last character has besides those of the text would
 * give one token several spellings, each with rates of its own.
 */
function isOneSpelling(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function visitorOf({ id, payload, expiresAt }: VerifiedContentToken, spaces: string[]): Principal {
  const { organization } = payload;
  const visitor: Visitor = {
    site: payload.site,
    spaces,
    ...previewOf(payload),
    ...(payload.shareKey === undefined ? {} : { shareKey: payload.shareKey }),
    type: payload.visitorType,
    claims: payload.claims,
  };
  // Services keep answers by the id of the caller: it is the same for visitors who are shown the same.
  const name = createHash('sha256')
    .update(JSON.stringify([organization, visitor]))
    .digest('base64url');
  return {
    kind: 'visitor',
    id: `visitor_${name}`,
    token: { id, kind: 'content', expiresAt: new Date(expiresAt).toISOString() },
    organization,
    operator: false,
    visitor,
  };
}

function previewOf({ changeRequest, revision }: ContentTokenPayload): Pick<Visitor, 'preview'> {
  if (changeRequest !== undefined) return { preview: { changeRequest } };
  return revision === undefined ? {} : { preview: { revision } };
}

/** All tokens of an installation count as one: for rates, and for what it has just recorded. */
function integrationOf({ payload, expiresAt }: VerifiedIntegrationToken, scopes: IntegrationScope[]): Principal {
  const { kind, integration, generation } = payload;
  const until = new Date(expiresAt).toISOString();
  if (kind === 'integration')
    return { kind, id: integration, token: { id: integration, kind, expiresAt: until }, operator: false };
  const { installation: id, organization } = payload;
  const token = { id, kind, integrationScopes: scopes, expiresAt: until };
  return { kind, id, token, organization, operator: false, installation: { integration, generation } };
}

async function ask<I extends z.ZodType, R extends z.ZodType>(
  client: Requester,
  op: InternalOperation<I, R>,
  input: z.input<I>,
): Promise<z.output<R>> {
  try {
    const { body } = await client.request({
      service: op.service,
      operation: op.id,
      body: Buffer.from(JSON.stringify(input)),
      headers: {},
      timeoutMs: op.deadlineMs,
      // A session gets its new secret only once, so that exchange must not be sent twice.
      reads: op.id !== authenticateSession.id,
    });
    return op.response.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch (cause) {
    // Without an answer the caller can be neither accepted nor refused.
    throw new AppError('unavailable', [], { cause, retryAfter: 1 });
  }
}
