import * as z from 'zod';
import { Id, Timestamp } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';
import { administering, reading, siteParams, sitePath } from '../base.js';

const base = { service: 'sites', tag: 'Sites' } as const;
const path = `${sitePath}/adaptive-schema`;
const params = z.object(siteParams);
const jsonSchema = z.record(z.string(), z.unknown()).meta({
  description:
    'JSON Schema (draft 07) of an object: the claims of visitors that conditions may use. Those that anybody can set are in `unsigned`.',
});

export const SiteAdaptiveSchema = z
  .object({
    object: z.literal('site-adaptive-schema'),
    jsonSchema,
    updatedAt: Timestamp,
    affectedConditions: z
      .array(
        z.object({
          type: z.enum(['site-section', 'site-space']),
          id: Id,
          condition: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'Conditions of the site that the schema does not allow: nobody passes them.' }),
  })
  .meta({ id: 'SiteAdaptiveSchema' });
export type SiteAdaptiveSchema = z.input<typeof SiteAdaptiveSchema>;

export const getSiteAdaptiveSchema = operation({
  ...base,
  id: 'getSiteAdaptiveSchema',
  method: 'GET',
  path,
  summary: 'Get the schema of the claims of visitors',
  access: openToInstallations(reading, 'site:adaptive:read'),
  params,
  response: SiteAdaptiveSchema,
  reasons: ['adaptive_schema_missing'],
});

export const updateSiteAdaptiveSchema = operation({
  ...base,
  id: 'updateSiteAdaptiveSchema',
  method: 'PUT',
  path,
  summary: 'Replace the schema of the claims of visitors',
  access: openToInstallations(administering, 'site:adaptive:write'),
  params,
  body: z.object({ jsonSchema }),
  bodyLimit: 128 * 1024,
  response: SiteAdaptiveSchema,
  reasons: ['adaptive_schema_invalid'],
});

export const listSiteAdaptiveTemplateConditions = operation({
  ...base,
  id: 'listSiteAdaptiveTemplateConditions',
  method: 'GET',
  path: `${path}/template-conditions`,
  summary: 'List conditions on the claims of visitors that an editor can offer',
  access: reading,
  params,
  response: z.object({ items: z.array(z.object({ description: z.string(), condition: z.string() })) }),
});
