import { reachesBeyond } from '../services.js';
import { describe, expect, it } from '@jest/globals';
import { decideAccess, refuseToken, roleAtLeast, roleRelations, type Access, type Relation } from './access.js';
import { openToInstallations, openToIntegration } from './integration-access.js';
import type { Principal } from './principal.js';

const rule: Access = {
  tokens: ['personal', 'oauth'],
  scope: 'organization:read',
  resource: 'team',
  view: ['read', 'self'],
  allow: ['admin'],
};
const access = (...relations: Relation[]) => ({ parentVisible: true, exists: true, relations: new Set(relations) });
const principal = (token: Partial<Principal['token']> = {}): Principal => ({
  kind: 'user',
  id: 'u',
  operator: false,
  token: { id: 't', kind: 'personal', ...token },
});

describe('an access rule', () => {
  it('accepts each of its relations, and checks visibility first', () => {
    expect(decideAccess(rule, access('read', 'admin'))).toBe('allow');
    expect(decideAccess(rule, access('self'))).toBe('forbidden');
    expect(decideAccess(rule, access('admin'))).toBe('absent');
    expect(decideAccess(rule, { ...access('read', 'admin'), exists: false })).toBe('absent');
    expect(decideAccess(rule, { ...access('read', 'admin'), parentVisible: false })).toBe('hidden');
  });

  it('accepts the kinds of token that it names, within their scopes', () => {
    expect(refuseToken(rule, principal())).toBeNull();
    expect(refuseToken(rule, null)).toBe('unauthenticated');
    expect(refuseToken({ ...rule, tokens: [] }, null)).toBeNull();
    expect(refuseToken(rule, principal({ kind: 'content' }))).toBe('forbidden');
    expect(refuseToken(rule, principal({ scopes: ['organization:read'] }))).toBeNull();
    expect(refuseToken(rule, principal({ scopes: ['user:read'] }))).toBe('forbidden');
    const { scope: _, ...unscoped } = rule;
    expect(refuseToken(unscoped, principal({ scopes: ['organization:read'] }))).toBe('forbidden');
  });
});

describe('a rule that is open to installations', () => {
  const open = openToInstallations(rule, 'space:content:read') satisfies Omit<Access, 'tokens'>;
  const token = (kind: 'installation' | 'integration', more: object = {}) => principal({ kind, ...more });
  const reached = { ...access('installation'), granted: ['space:content:read'] as const };

  it('accepts those that were granted the scope, and no other rule accepts any', () => {
    expect(refuseToken(open, token('installation', { integrationScopes: ['space:content:read'] }))).toBeNull();
    expect(refuseToken(open, token('installation', { integrationScopes: ['space:content:write'] }))).toBe('forbidden');
    expect(refuseToken(open, token('installation'))).toBe('forbidden');
    expect(refuseToken(open, token('integration'))).toBe('forbidden');
    expect(refuseToken(openToIntegration(rule), token('integration'))).toBeNull();
    expect(refuseToken(rule, token('installation', { integrationScopes: ['space:content:read'] }))).toBe('forbidden');
    // The kind alone is not enough: the relation has to be listed.
    expect(refuseToken({ ...rule, tokens: ['installation'] }, token('installation'))).toBe('forbidden');
  });

  it('allows what the installation reaches, within what it was granted', () => {
    expect(decideAccess(open, reached)).toBe('allow');
    expect(decideAccess(open, { ...reached, granted: ['space:content:write'] })).toBe('forbidden');
    expect(decideAccess(open, { ...reached, exists: false })).toBe('absent');
    const admin = { ...access('read', 'admin', 'installation'), granted: ['space:content:read'] as const };
    expect(decideAccess(rule, admin)).toBe('forbidden');
  });
});

describe('roles', () => {
  it('include all below them', () => {
    expect(roleRelations(null)).toEqual(['guest']);
    expect(roleRelations('edit')).toEqual(['guest', 'read', 'comment', 'edit']);
    expect(roleAtLeast('edit', 'comment')).toBe(true);
    expect(roleAtLeast('edit', 'review')).toBe(false);
    expect(roleAtLeast(null, 'read')).toBe(false);
  });
});

describe('single sign-on', () => {
  const rule: Access = { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] };
  const without = (...relations: Relation[]) => ({
    parentVisible: true,
    exists: true,
    relations: new Set(relations),
    withoutSSO: true,
  });

  it('is checked after visibility and before permission', () => {
    expect(decideAccess(rule, without('guest', 'admin'))).toBe('sso_required');
    expect(decideAccess(rule, without('guest'))).toBe('sso_required');
    expect(decideAccess(rule, without())).toBe('absent');
    expect(decideAccess(rule, { ...without('guest', 'admin'), withoutSSO: false })).toBe('allow');
  });

  it('is not required of admins for the recoveries that the rule allows', () => {
    expect(decideAccess({ ...rule, recovery: 'all' }, without('guest', 'admin'), ['any'])).toBe('recovery');
    expect(decideAccess({ ...rule, recovery: 'all', allow: ['guest'] }, without('guest'))).toBe('sso_required');
    const some: Access = { ...rule, recovery: ['sso'] };
    expect(decideAccess(some, without('guest', 'admin'), ['sso'])).toBe('recovery');
    for (const fields of [[], ['title'], ['sso', 'title']])
      expect(decideAccess(some, without('guest', 'admin'), fields)).toBe('sso_required');
  });
});

describe('a session that is valid in one organization only', () => {
  const bound: Principal = {
    kind: 'user',
    id: 'u',
    token: { id: 't', kind: 'session' },
    organization: 'o',
    operator: false,
  };
  const rule: Access = { tokens: ['session'], resource: 'user', view: ['self'], allow: ['self'] };

  it('cannot be used for operations about the user or the installation', () => {
    expect(reachesBeyond(rule, bound)).toBe(true);
    expect(reachesBeyond({ ...rule, resource: 'installation' }, bound)).toBe(true);
    expect(reachesBeyond({ ...rule, withinOrganization: true }, bound)).toBe(false);
    expect(reachesBeyond({ ...rule, resource: 'team' }, bound)).toBe(false);
    expect(reachesBeyond(rule, { ...bound, organization: undefined })).toBe(false);
  });
});
