import * as z from 'zod';
import { Id, LastingUrl, MemberRoleOrGuest, Timestamp, listOf, paging, text } from '../../kernel/common.js';
import { requestBounds } from '../../kernel/limits.js';
import { operation } from '../../kernel/operation.js';
import { SSOLogin } from '../sign-in/sso.js';

const mergeRule = z.discriminatedUnion('rule', [
  z.object({ rule: z.literal('require_specific_reviewers'), users: z.array(Id).min(1).max(100) }),
  z.object({ rule: z.literal('require_one_of_specific_reviewers'), users: z.array(Id).min(1).max(100) }),
  z.object({ rule: z.literal('allow_bypass'), users: z.array(Id).min(1).max(100) }),
  z.object({
    rule: z.enum([
      'require_at_least_one_review',
      'require_all_reviews_approved',
      'require_agent_review',
      'require_up_to_date_change_request',
      'require_change_request_subject',
      'require_change_request_description',
      'require_at_least_one_approved_review',
      'require_author_to_merge',
    ]),
  }),
  z.object({ rule: z.literal('custom'), expression: text(1, 1024), message: text(1, 256).optional() }),
]);

export const OrganizationMergeRules = z
  .object({ type: z.literal('rules'), rules: z.array(mergeRule).max(50) })
  .meta({ id: 'OrganizationMergeRules' });
export type OrganizationMergeRules = z.output<typeof OrganizationMergeRules>;

const OrganizationMergeRulesInput = z.union([OrganizationMergeRules, z.object({ type: z.enum(['none', 'inherit']) })]);

/** The subdomain under which an organization's public content is served: 3 to 32 characters. */
export const Hostname = z
  .string()
  .min(3)
  .max(32)
  .regex(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/);

export const EmailDomain = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i, 'Must be a domain name');

const OrganizationTitle = text(2, 255).regex(/\S.*\S/);
const DefaultContent = z.object({ type: z.literal('site'), site: Id });

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: Id,
    title: z.string(),
    createdAt: Timestamp,
    emailDomains: z.array(z.string()),
    hostname: Hostname,
    type: z.enum(['business', 'community']),
    useCase: z
      .enum([
        'internalDocs',
        'docsSite',
        'audienceControlledSite',
        'productDocs',
        'teamKnowledgeBase',
        'designSystem',
        'openSourceDocs',
        'notes',
        'other',
      ])
      .optional(),
    communityType: z.enum(['nonProfit', 'openSource', 'education']).optional(),
    defaultRole: MemberRoleOrGuest,
    defaultContent: DefaultContent.optional(),
    sso: z.boolean(),
    ssoLogins: z.array(SSOLogin).optional().meta({
      description:
        'Where single sign-on is enforced and the caller, a member, has not come by it: how they can. `permissions` are none then, and settings are not shown: they read as those of a new organization.',
    }),
    ai: z.boolean(),
    inviteLinks: z.boolean(),
    plan: z.enum([
      'free_2024',
      'plus_2024',
      'pro_2024',
      'enterprise_2024',
      'community_2024',
      'free',
      'plus',
      'pro',
      'internal',
    ]),
    mergeRules: OrganizationMergeRules,
    trial: z.object({ status: z.enum(['notapplicable', 'none', 'active', 'ended', 'expired']), count: z.int() }),
    urls: z.object({ location: z.url(), app: z.url(), logo: z.url().optional() }),
    permissions: z.object({
      view: z.boolean(),
      admin: z.boolean(),
      ownTeam: z.boolean(),
      createContent: z.boolean(),
      createOpenAPISpec: z.boolean(),
      ingestConversations: z.boolean(),
      viewBilling: z.boolean(),
      listMembers: z.boolean(),
      listTeams: z.boolean(),
      listIntegrations: z.boolean(),
      listInstallations: z.boolean(),
      installIntegration: z.boolean(),
    }),
  })
  .meta({ id: 'Organization' });
export type Organization = z.output<typeof Organization>;

const tag = 'Organizations';
const params = z.object({ organizationId: Id });
const base = { service: 'identity', tag } as const;

export const listOrganizationsForAuthenticatedUser = operation({
  ...base,
  id: 'listOrganizationsForAuthenticatedUser',
  method: 'GET',
  path: '/orgs',
  summary: 'List the organizations of the caller',
  access: { scope: 'organization:read', resource: 'installation', view: ['anyone'], allow: ['anyone'] },
  query: z.object(paging),
  response: listOf(Organization),
});

export const createOrganization = operation({
  ...base,
  id: 'createOrganization',
  method: 'POST',
  path: '/orgs',
  summary: 'Create an organization; the caller becomes its admin',
  access: { resource: 'installation', view: ['anyone'], allow: ['anyone'] },
  query: z.object({
    withDefaultSite: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether it gets a site, a moment later, which it shows first.' }),
  }),
  body: z.object({
    title: OrganizationTitle,
    emailDomains: z.array(EmailDomain).max(requestBounds.batch).optional(),
    onboardingPreferences: z
      .object({
        source: text(1, 256).optional(),
        audience: text(1, 256).optional(),
        interests: z.array(text(1, 256)).max(50).optional(),
      })
      .optional(),
  }),
  response: Organization,
  status: 201,
  reasons: ['limit_reached'],
});

export const getOrganizationById = operation({
  ...base,
  id: 'getOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}',
  summary: 'Get an organization',
  history: { entity: 'organization', id: 'organizationId' },
  access: { scope: 'organization:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params,
  response: Organization,
});

export const updateOrganizationById = operation({
  ...base,
  id: 'updateOrganizationById',
  method: 'PATCH',
  path: '/orgs/{organizationId}',
  summary: 'Change the settings of an organization',
  access: {
    scope: 'organization:write',
    resource: 'organization',
    view: ['guest'],
    allow: ['admin'],
    recovery: ['sso'],
  },
  params,
  body: z.object({
    title: OrganizationTitle.optional(),
    emailDomains: z.array(EmailDomain).max(requestBounds.batch).optional(),
    hostname: Hostname.optional(),
    defaultRole: MemberRoleOrGuest.optional(),
    defaultContent: DefaultContent.nullable().optional(),
    logo: LastingUrl.nullable().optional(),
    sso: z.boolean().optional(),
    ai: z.boolean().optional(),
    inviteLinks: z.boolean().optional(),
    mergeRules: OrganizationMergeRulesInput.optional(),
  }),
  response: Organization,
  reasons: ['default_content_invalid', 'condition_invalid', 'already_exists', 'limit_reached', 'sso_unavailable'],
});

export const deleteOrganizationById = operation({
  ...base,
  id: 'deleteOrganizationById',
  method: 'DELETE',
  path: '/orgs/{organizationId}',
  summary: 'Delete an organization with everything in it, for good',
  access: { tokens: ['personal'], resource: 'organization', view: ['guest'], allow: ['admin'] },
  params,
});
