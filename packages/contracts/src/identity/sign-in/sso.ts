import * as z from 'zod';
import {
  Email,
  Id,
  Location,
  MemberRoleOrGuest,
  Timestamp,
  Url,
  listOf,
  paging,
  text,
  trimmedText,
} from '../../kernel/common.js';
import { anonymousOperation, operation } from '../../kernel/operation.js';
import { Certificate } from './certificate.js';
import { Member } from '../people/member.js';
import { Team } from '../people/teams.js';

export const SAMLProvider = z
  .object({
    object: z.literal('saml-provider'),
    id: Id,
    label: z.string(),
    ssoURL: z.string().optional(),
    entityID: z.string().optional(),
    certificate: z.string().optional().meta({ description: 'PEM, in lines of 64 characters.' }),
    defaultTeam: Team.optional(),
    defaultRole: MemberRoleOrGuest,
    createdAt: Timestamp,
    status: z
      .enum(['active', 'pending'])
      .meta({ description: 'Active when `entityID`, `ssoURL` and a readable `certificate` are set.' }),
    service: z.object({ acsURL: z.url(), startURL: z.url(), entityID: z.url() }),
    urls: Location,
  })
  .meta({ id: 'SAMLProvider' });
export type SAMLProvider = z.output<typeof SAMLProvider>;

export const SSOLogin = z.object({ id: Id, label: z.string(), startURL: z.url() }).meta({ id: 'SSOLogin' });
export type SSOLogin = z.output<typeof SSOLogin>;

/** A login of an organization, for people who are not signed in. */
export const OrganizationSSOLogin = z
  .object({ organization: z.object({ title: z.string() }), ...SSOLogin.shape })
  .meta({ id: 'OrganizationSSOLogin' });
export type OrganizationSSOLogin = z.output<typeof OrganizationSSOLogin>;

const Label = text(1, 30);
/** It is copied from elsewhere, often with a line end, and compared letter by letter. */
const EntityID = trimmedText(1, 1024);

const base = { service: 'identity', tag: 'Single sign-on' } as const;
const orgParams = z.object({ organizationId: Id });
const params = z.object({ organizationId: Id, samlProviderId: Id });
const ofOrganization = {
  tokens: ['personal'],
  resource: 'organization',
  view: ['guest'],
  allow: ['admin'],
  recovery: 'all',
} as const;
const ofProvider = {
  tokens: ['personal'],
  resource: 'saml_provider',
  view: ['admin'],
  allow: ['admin'],
  recovery: 'all',
} as const;

export const listSAMLProvidersInOrganizationById = operation({
  ...base,
  id: 'listSAMLProvidersInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/saml',
  summary: 'List the SAML providers of an organization, newest first',
  access: ofOrganization,
  params: orgParams,
  query: z.object(paging),
  response: listOf(SAMLProvider),
});

export const createOrganizationSAMLProvider = operation({
  ...base,
  id: 'createOrganizationSAMLProvider',
  method: 'POST',
  path: '/orgs/{organizationId}/saml',
  summary: 'Create a SAML provider; it is pending until it is complete',
  access: ofOrganization,
  params: orgParams,
  body: z.object({
    label: Label,
    ssoURL: Url.optional(),
    entityID: EntityID.optional(),
    certificate: Certificate.optional(),
    defaultTeam: Id.optional(),
    defaultRole: MemberRoleOrGuest.optional(),
  }),
  response: SAMLProvider,
  status: 201,
  reasons: ['limit_reached'],
});

export const getOrganizationSAMLProviderById = operation({
  ...base,
  id: 'getOrganizationSAMLProviderById',
  method: 'GET',
  path: '/orgs/{organizationId}/saml/{samlProviderId}',
  summary: 'Get a SAML provider',
  history: { entity: 'sso', id: 'organizationId' },
  access: ofProvider,
  params,
  response: SAMLProvider,
});

export const updateOrganizationSAMLProvider = operation({
  ...base,
  id: 'updateOrganizationSAMLProvider',
  method: 'PATCH',
  path: '/orgs/{organizationId}/saml/{samlProviderId}',
  summary: 'Change a SAML provider; null clears a field',
  access: ofProvider,
  params,
  body: z.object({
    label: Label.optional(),
    ssoURL: Url.nullable().optional(),
    entityID: EntityID.nullable().optional(),
    certificate: Certificate.nullable().optional(),
    defaultTeam: Id.nullable().optional(),
    defaultRole: MemberRoleOrGuest.optional(),
  }),
  response: SAMLProvider,
  reasons: ['sso_in_use'],
});

export const deleteOrganizationSAMLProvider = operation({
  ...base,
  id: 'deleteOrganizationSAMLProvider',
  method: 'DELETE',
  path: '/orgs/{organizationId}/saml/{samlProviderId}',
  summary: 'Delete a SAML provider; without an active one left, single sign-on is no longer enforced',
  access: ofProvider,
  params,
});

export const listSSOProviderLoginsInOrganization = operation({
  ...base,
  id: 'listSSOProviderLoginsInOrganization',
  method: 'GET',
  path: '/orgs/{organizationId}/sso',
  summary: 'List the active single sign-on logins of an organization',
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['guest'], recovery: 'all' },
  params: orgParams,
  response: z.object({ items: z.array(SSOLogin) }).meta({ id: 'SSOLogins' }),
});

export const listSSOLoginsForEmail = anonymousOperation({
  ...base,
  id: 'listSSOLoginsForEmail',
  method: 'GET',
  path: '/sso',
  summary:
    'List the single sign-on logins for the domain of an e-mail address; the same whether or not anybody has the address',
  query: z.object({ email: Email }),
  response: z.object({ items: z.array(OrganizationSSOLogin) }).meta({ id: 'OrganizationSSOLogins' }),
});

export const setUserAsSSOMemberForOrganization = operation({
  ...base,
  id: 'setUserAsSSOMemberForOrganization',
  method: 'POST',
  path: '/orgs/{organizationId}/members/{userId}/sso',
  summary: 'Let a member sign in through a SAML provider of the organization',
  access: { tokens: ['personal'], resource: 'member', view: ['read', 'self'], allow: ['admin'] },
  params: z.object({ organizationId: Id, userId: Id }),
  response: Member,
  reasons: ['sso_unavailable'],
});
