import { describe, expect, it } from '@jest/globals';
import { operationList } from '../services.js';
import { forbiddenMessage, notFoundMessage, tokenMessage } from './refusal-messages.js';

describe('the message of a refusal', () => {
  it.each([
    ['space', ['edit'], 'You must have the level `edit` or a higher one on the space'],
    ['organization', ['admin'], 'You must have the level `admin` on the organization'],
    ['team', ['admin', 'team_owner'], 'You must have the level `admin` on the organization or own the team'],
    ['comment', ['self', 'create'], 'You must be its author or have the level `create` or a higher one on the space'],
    ['installation', ['operator'], 'You must be an operator of the installation'],
    [
      'member',
      ['admin', 'self'],
      'You must have the level `admin` on the organization or be the user whom it is about',
    ],
    ['user', [], undefined],
  ] as const)('names the level that is missing on a %s: %j', (resource, allow, message) => {
    expect(forbiddenMessage({ resource, allow })).toBe(message);
  });

  it('names the kind of token or the scope that is missing', () => {
    const access = { resource: 'space', view: ['read'], allow: ['edit'], tokens: ['personal', 'oauth'] } as const;
    const token = { id: 't', kind: 'personal' } as const;
    expect(tokenMessage(access, { token })).toBeUndefined();
    expect(tokenMessage(access, { token: { id: 't', kind: 'session' } })).toBe(
      'A token of the kind session cannot be used for this; it takes personal or oauth',
    );
    const limited = { token: { ...token, scopes: ['user:read' as const] } };
    expect(tokenMessage(access, limited)).toBe('A token that is limited to scopes cannot be used for this');
    expect(tokenMessage({ ...access, scope: 'space:write' }, limited)).toBe(
      'The token must have the scope `space:write`',
    );
  });

  it.each([
    ['/orgs/{organizationId}/teams/{teamId}', 'team'],
    ['/orgs/{organizationId}/teams', 'organization'],
    ['/spaces/{spaceId}/content/path/{pagePath}', 'page'],
    ['/orgs/{organizationId}/saml/{samlProviderId}', 'SAML provider'],
    ['/orgs/{o}/sites/{siteId}/section-groups/{siteSectionGroupId}', 'site section group'],
    ['/orgs/{o}/change-requests/{changeRequestId}', 'change request'],
  ])('names the kind of what is not there: %s', (path, kind) => {
    expect(notFoundMessage(path)).toBe(`There is no such ${kind} here, or you may not see it`);
  });

  it('is there for every operation that can have it', () => {
    for (const { path, access } of operationList) {
      expect(notFoundMessage(path) === undefined).toBe(!path.includes('{'));
      if (access.allow.length > 0) expect(forbiddenMessage(access)).toMatch(/^You must [a-z]/);
    }
  });
});
