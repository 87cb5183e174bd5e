import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getSiteAdaptiveSchema,
  listSiteAdaptiveTemplateConditions,
  updateSiteAdaptiveSchema,
  type InputOf,
} from '@scriptorium/contracts';
import { parseAdaptiveSchema, templateConditions } from '@scriptorium/expressions';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireSite, site, type SiteParams } from '../model/index.js';
import { affectedConditions, readSchema, replaceSchema } from './adaptive-schema.js';

@Controller()
export class AdaptiveSchemaController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(getSiteAdaptiveSchema)
  async get({ params }: InputOf<typeof getSiteAdaptiveSchema>, call: Call) {
    return (await this.read(call, params)).shown;
  }

  @Handles(updateSiteAdaptiveSchema)
  async replace({ params, body }: InputOf<typeof updateSiteAdaptiveSchema>, call: Call) {
    const schema = readSchema(body.jsonSchema, 'body.jsonSchema');
    const { siteId } = params;
    await call.store.within({ site: siteId }).handle(site, siteId, (state) => replaceSchema(state, schema));
    const { shown, structure } = await this.read(call, params);
    const affected = affectedConditions(structure, schema);
    return { ...shown, ...(affected.length === 0 ? {} : { affectedConditions: affected }) };
  }

  @Handles(listSiteAdaptiveTemplateConditions)
  async templates({ params }: InputOf<typeof listSiteAdaptiveTemplateConditions>, call: Call) {
    const { site: doc } = await requireSite(call, this.access, call.principal, params);
    const parsed = parseAdaptiveSchema(doc.adaptiveSchema);
    return { items: parsed.ok ? templateConditions(parsed.schema).map((one) => ({ ...one })) : [] };
  }

  /** @throws AppError `adaptive_schema_missing` */
  private async read(call: Call, params: SiteParams) {
    const { site: doc } = await requireSite(call, this.access, call.principal, params);
    const { adaptiveSchema: jsonSchema, schemaReplacedAt: updatedAt, structure } = doc;
    if (jsonSchema === null || updatedAt === null) throw new AppError('adaptive_schema_missing');
    return { shown: { object: 'site-adaptive-schema', jsonSchema, updatedAt } as const, structure };
  }
}
