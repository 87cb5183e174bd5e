import * as z from 'zod';
import { Id, Url, text, trimmedText } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { Organization } from '../identity/organizations/organizations.js';
import { integrationBounds } from './bounds.js';
import { IntegrationConfigurations } from './configuration.js';
import {
  integrationCategories,
  integrationScopes,
  integrationTargets,
  integrationVisibilities,
  policyDirectives,
} from './words.js';

/** The name of an integration. It is unique without regard to case. */
export const IntegrationName = z
  .string()
  .min(1)
  .max(integrationBounds.name)
  .regex(/^[a-zA-Z0-9._-]+$/, 'Must consist of letters, digits, ., _ and -')
  .refine((name) => name !== '.' && name !== '..', 'Must not be . or .., which are parts of paths');

export const IntegrationScopeWord = z.enum(integrationScopes).meta({ id: 'IntegrationScope' });
export const IntegrationCategory = z.enum(integrationCategories).meta({ id: 'IntegrationCategory' });
export const IntegrationTargetWord = z.enum(integrationTargets).meta({
  id: 'IntegrationTarget',
  description: 'Where it is installed: on spaces, on sites, on the organization alone, or on all of these.',
});
export const IntegrationVisibilityWord = z.enum(integrationVisibilities).meta({
  id: 'IntegrationVisibility',
  description:
    '`public`: listed, and installed by anybody; `unlisted`: installed by whoever knows its name; `private`: for its owner alone.',
});
export const IntegrationTitle = text(2, 30);
export const IntegrationDescription = trimmedText(0, 100);
export const IntegrationSummary = z.string().max(integrationBounds.summary);

/** An id within an integration. */
const PartId = z.string().min(1).max(100);

export const IntegrationBlock = z
  .object({
    id: PartId,
    title: text(2, 40),
    description: trimmedText(0, 150).optional(),
    icon: z.string().max(2048).optional(),
    urlUnfurl: z.array(z.string().min(1).max(2048)).max(50).optional(),
    markdown: z.object({ codeblock: z.string().min(1).max(100), body: z.string().min(1).max(100) }).optional(),
  })
  .meta({ id: 'IntegrationBlock' });
export type IntegrationBlock = z.output<typeof IntegrationBlock>;

export const IntegrationContentSource = z
  .object({
    id: PartId,
    title: text(2, 40),
    description: trimmedText(0, 150).optional(),
    icon: z.string().max(2048).optional(),
    configuration: z
      .object({ componentId: PartId })
      .meta({ description: 'The component with which editors choose what the source computes.' }),
  })
  .meta({ id: 'IntegrationContentSource' });

const directives = policyDirectives as readonly string[];
/** No value ends its directive, or the header. */
const PolicyText = z
  .string()
  .max(integrationBounds.policy)
  .refine((value) => !/[^\x20-\x7e]/.test(value), 'Must be printable ASCII on one line');

export const IntegrationContentSecurityPolicy = z
  .union([
    PolicyText,
    z
      .record(
        z.string().refine((name) => directives.includes(name), 'Is no directive of a content security policy'),
        PolicyText.refine((value) => !value.includes(';'), 'Must not contain ;'),
      )
      .refine((policy) => JSON.stringify(policy).length <= integrationBounds.policy, 'The policy is too long'),
  ])
  .meta({
    id: 'IntegrationContentSecurityPolicy',
    description: 'Sent with what the integration shows: a text, or the value of each directive.',
  });
export type IntegrationContentSecurityPolicy = z.output<typeof IntegrationContentSecurityPolicy>;

export const IntegrationExternalLinks = z
  .array(z.object({ url: Url, label: text(1, 100) }))
  .max(integrationBounds.externalLinks);

export const Integration = z
  .object({
    object: z.literal('integration'),
    name: z.string(),
    version: z.int().min(1),
    title: z.string(),
    description: z.string().optional(),
    summary: z.string().optional(),
    previewImages: z.array(z.url()),
    target: IntegrationTargetWord,
    verified: z.boolean(),
    visibility: IntegrationVisibilityWord,
    scopes: z.array(IntegrationScopeWord),
    unavailableScopes: z
      .array(IntegrationScopeWord)
      .optional()
      .meta({ description: 'Those of the scopes that allow nothing in this version of the product.' }),
    categories: z.array(IntegrationCategory),
    blocks: z.array(IntegrationBlock),
    contentSources: z.array(IntegrationContentSource),
    configurations: IntegrationConfigurations,
    externalLinks: z.array(z.object({ url: z.string(), label: z.string() })),
    owner: embed('organization', Organization),
    urls: z.object({
      location: z.url(),
      icon: z.url().optional(),
      app: z.url(),
      assets: z.url(),
      publicEndpoint: z.url(),
      publicContentEndpoint: z.url(),
    }),
    permissions: z.object({ admin: z.boolean() }),
    contentSecurityPolicy: IntegrationContentSecurityPolicy.optional(),
  })
  .meta({ id: 'Integration' });
export type Integration = z.input<typeof Integration>;

export const integrationParams = { integrationName: IntegrationName };
export const installationParams = { ...integrationParams, installationId: Id };
