import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { administering, part, reading, siteParams, sitePath } from '../base.js';
import { customizationGroups, givenGroups, type GivenGroups } from './customization-settings.js';
import { SiteTitle } from '../structure/site.js';

export const SiteCustomization = z
  .object({ title: z.string(), ...customizationGroups })
  .meta({ id: 'SiteCustomization' });
export type SiteCustomization = z.output<typeof SiteCustomization>;

const same = (color: string) => ({ light: color, dark: color });

/** The colors, fonts and forms of a site for which nothing was chosen. */
export const defaultSiteStyling: SiteCustomization['styling'] = {
  theme: 'clean',
  primaryColor: same('#346DDB'),
  infoColor: same('#787878'),
  successColor: same('#00C950'),
  warningColor: same('#FE9A00'),
  dangerColor: same('#FB2C36'),
  corners: 'rounded',
  depth: 'subtle',
  links: 'default',
  font: 'Inter',
  monospaceFont: 'IBMPlexMono',
  icons: 'regular',
  sidebar: { background: 'default', list: 'default' },
  search: 'subtle',
  background: 'plain',
};

type Given = { [K in keyof GivenGroups]: z.ZodType<Partial<z.output<GivenGroups[K]>> | undefined> };
type Override<T> = { [K in keyof T]?: T[K] | null | undefined };
type Overrides = {
  [K in keyof GivenGroups]: z.ZodType<Override<z.output<GivenGroups[K]>> | null | undefined>;
};

/** Each group, with the fields that are given. */
const given = Object.fromEntries(
  Object.entries(givenGroups).map(([name, group]) => [name, group.partial().optional()]),
) as unknown as Given;

/** Each group, with the fields that are set or cleared. */
const overrides = Object.fromEntries(
  Object.entries(givenGroups).map(([name, group]) => {
    const fields = Object.entries(group.partial().shape).map(([field, schema]) => [field, z.nullable(schema)]);
    return [
      name,
      z
        .object(Object.fromEntries(fields) as z.ZodRawShape)
        .nullable()
        .optional(),
    ];
  }),
) as unknown as Overrides;

const base = { service: 'sites', tag: 'Sites' } as const;
const path = `${sitePath}/customization`;
const params = z.object(siteParams);
const ofSiteSpace = `${sitePath}/site-spaces/{siteSpaceId}/customization`;
const siteSpaceParams = z.object({ ...siteParams, siteSpaceId: Id });
const bodyLimit = 128 * 1024;

const unmasked = z.object({
  unmasked: z.boolean().optional().meta({
    description:
      'Clients ask by it for settings that a plan leaves out. Here there are no plans, and nothing is left out.',
  }),
});

export const getSiteCustomizationById = operation({
  ...base,
  id: 'getSiteCustomizationById',
  method: 'GET',
  path,
  summary: 'Get how a site looks',
  access: reading,
  params,
  query: unmasked,
  response: SiteCustomization,
});

export const updateSiteCustomizationById = operation({
  ...base,
  id: 'updateSiteCustomizationById',
  method: 'PUT',
  path,
  summary: 'Replace how a site looks; what is left out gets its default',
  access: administering,
  params,
  body: z.object({ title: SiteTitle.optional(), ...given }),
  bodyLimit,
  response: SiteCustomization,
  reasons: ['condition_invalid'],
});

const SiteSpaceCustomization = z
  .object({ ...SiteCustomization.shape, hasOverrides: z.boolean() })
  .meta({ id: 'SiteSpaceCustomization' });

export const getSiteSpaceCustomizationById = operation({
  ...base,
  id: 'getSiteSpaceCustomizationById',
  method: 'GET',
  path: ofSiteSpace,
  summary: 'Get how a space of a site looks: as the site, but for what it overrides',
  access: reading,
  params: siteSpaceParams,
  query: unmasked,
  response: SiteSpaceCustomization,
});

export const overrideSiteSpaceCustomizationById = operation({
  ...base,
  id: 'overrideSiteSpaceCustomizationById',
  method: 'PATCH',
  path: ofSiteSpace,
  summary: 'Override how a space of a site looks; `null` takes an override back',
  access: administering,
  params: siteSpaceParams,
  body: z.object({ title: SiteTitle.nullable().optional(), ...overrides }),
  bodyLimit,
  response: SiteSpaceCustomization,
  reasons: ['condition_invalid'],
});

export const deleteSiteSpaceCustomizationById = operation({
  ...base,
  id: 'deleteSiteSpaceCustomizationById',
  method: 'DELETE',
  path: ofSiteSpace,
  summary: 'Take back all that a space of a site overrides',
  access: { ...administering, ...part },
  params: siteSpaceParams,
});
