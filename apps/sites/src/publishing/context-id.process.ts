import type { PublishedContent, VisitorType } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import { createHash } from 'node:crypto';
import { pickClaims, type UsedClaims } from './lookup/used-claims.js';

interface ContextParts {
  claims: Claims;
  used: UsedClaims;
  type: VisitorType;
  shareKey: string | undefined;
}

/**
 * A name for everything that the answers of pages depend on besides the page: of claims, those that the site and its
 * spaces use.
 */
export function contextOf({ claims, used, type, shareKey }: ContextParts): Pick<PublishedContent, 'contextId'> {
  const picked = pickClaims(claims, used).filter(([, value]) => !isEmpty(value));
  if (picked.length === 0 && type === 'human' && shareKey === undefined) return {};
  const contextId = createHash('sha256')
    .update(JSON.stringify([shareKey, type, picked]))
    .digest('base64url');
  return { contextId: contextId.slice(0, 22) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value);
}
