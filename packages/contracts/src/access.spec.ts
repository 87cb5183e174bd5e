import { describe, expect, it } from '@jest/globals';
import { decideAccess, refuseToken, roleAtLeast, roleRelations, type Access, type Principal, type Relation } from './access.js';

const rule: Access = { tokens: ['personal', 'oauth'], scope: 'organization:read', resource: 'team', view: ['read', 'self'], allow: ['admin'] };
const standing = (...relations: Relation[]) => ({ parentVisible: true, exists: true, relations: new Set(relations) });
const principal = (token: Partial<Principal['token']> = {}): Principal => ({
  kind: 'user', id: 'u', operator: false, token: { id: 't', kind: 'personal', ...token },
});

describe('an access rule', () => {
  it('lets in by any one of its relations, and asks for seeing first', () => {
    expect(decideAccess(rule, standing('read', 'admin'))).toBe('allow');
    expect(decideAccess(rule, standing('self'))).toBe('forbidden');
    expect(decideAccess(rule, standing('admin'))).toBe('absent');
    expect(decideAccess(rule, { ...standing('read', 'admin'), exists: false })).toBe('absent');
    expect(decideAccess(rule, { ...standing('read', 'admin'), parentVisible: false })).toBe('hidden');
  });

  it('takes the kinds of token that it names, within their scopes', () => {
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

describe('roles', () => {
  it('include all below them', () => {
    expect(roleRelations(null)).toEqual(['guest']);
    expect(roleRelations('edit')).toEqual(['guest', 'read', 'comment', 'edit']);
    expect(roleAtLeast('edit', 'comment')).toBe(true);
    expect(roleAtLeast('edit', 'review')).toBe(false);
    expect(roleAtLeast(null, 'read')).toBe(false);
  });
});
