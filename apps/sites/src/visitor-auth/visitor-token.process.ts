import type { ServiceAccess } from '@scriptorium/access';
import { invalid, mostClaimBytes } from '@scriptorium/contracts';
import { filterClaims, joinClaims, type Claims } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { jwtVerify } from 'jose';
import { schemaOf, type ActiveSite } from '../model/index.js';
import type { PublishingAuthState } from './publishing-auth.js';
import { integrationKeys } from './keys/integration-keys.queries.js';
import { goodKeys } from './keys/visitor-keys.process.js';

/** Claims that a token itself needs, and that say nothing about the visitor. */
const registered = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

/** What a token of a visitor proves, and until when (seconds since 1970). */
export interface SignedClaims {
  claims: Record<string, unknown>;
  until: number;
}

/** For how long tokens of visitors may be good, for controllers and processes. */
export class VisitorTokenRules {
  constructor(readonly longestSeconds: number) {}
}

/** A site, and how its visitors prove who they are. */
export interface SiteOfVisitors {
  id: string;
  organization: string;
  auth: PublishingAuthState;
  access: Pick<ServiceAccess, 'requireInstallations'>;
}

/** The keys that sign tokens of its visitors now: while an integration signs them in, its own alone. */
function keysOf(
  scope: Pick<Scope, 'database' | 'keys' | 'now' | 'store'>,
  { id: site, organization, auth, access }: SiteOfVisitors,
): Promise<string[]> {
  if (auth.hasEnded === true) return Promise.resolve([]);
  if (auth.integration === null) return goodKeys(scope, site, auth);
  return integrationKeys(scope, access, { organization, site, installation: auth.integration.installation });
}

/** Seconds since 1970 that a date can hold. */
const lastSecond = 8.64e12;

/**
 * The claims of a token of a visitor, if a key that is good now has signed it (HS256), it has not ended, and says that
 * it ends soon enough; `undefined` otherwise.
 */
export async function signedClaims(
  scope: Pick<Scope, 'database' | 'keys' | 'now' | 'store'>,
  site: SiteOfVisitors,
  rules: VisitorTokenRules,
  token: string | undefined,
): Promise<SignedClaims | undefined> {
  if (token === undefined || token === '') return undefined;
  for (const key of await keysOf(scope, site)) {
    const options = { algorithms: ['HS256'], currentDate: new Date(scope.now()), requiredClaims: ['exp'] };
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(key), options);
      const { exp = Infinity, nbf = 0, iat = 0 } = payload;
      if (exp > scope.now() / 1_000 + rules.longestSeconds) return undefined;
      if ([exp, nbf, iat].some((second) => Math.abs(second) > lastSecond)) return undefined;
      const claims = Object.fromEntries(Object.entries(payload).filter(([name]) => !registered.includes(name)));
      return { claims, until: exp };
    } catch {
      // It may be signed with the other key. Why it is refused does not matter.
    }
  }
  return undefined;
}

/**
 * The claims that count for a site: those that its schema declares, with their types; none while adaptive content is
 * off. `field`: what of the request has them.
 * @throws AppError `invalid_request` for more than a content token can hold
 */
export function claimsFor(
  site: Pick<ActiveSite, 'adaptiveContent' | 'adaptiveSchema'>,
  signed: Record<string, unknown>,
  unsigned: object,
  field: string,
): Claims {
  const schema = schemaOf(site);
  if (schema === undefined) return {};
  const claims = filterClaims(schema, joinClaims(signed as Claims, unsigned as Claims));
  if (Buffer.byteLength(JSON.stringify(claims)) <= mostClaimBytes) return claims;
  throw invalid(field, `At most ${mostClaimBytes} bytes of claims`);
}
