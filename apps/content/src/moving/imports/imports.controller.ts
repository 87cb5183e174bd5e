import { ServiceAccess } from '@scriptorium/access';
import { cancelImportRun, getImportRun, listImportRuns, startImportRun, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requirePlace } from '../../library/index.js';
import { ContentObjects } from '../../versions/index.js';
import { cancelImport } from './steps/cancel-import.process.js';
import { getImport, listImports, requireImport, summaryOf } from './show-imports.queries.js';
import { startImport } from './steps/start-import.process.js';

/** Imports into spaces. An import is shown to whoever began it, and to admins of the organization. */
@Controller()
export class ImportsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
  ) {}

  @Handles(startImportRun)
  async start({ params, body }: InputOf<typeof startImportRun>, call: Call) {
    const about = await startImport(call, { access: this.access, objects: this.objects }, params.organizationId, body);
    return summaryOf(about, await call.store.findRun(about._id));
  }

  @Handles(listImportRuns)
  async list({ params, query }: InputOf<typeof listImportRuns>, call: Call) {
    return listImports(call, await this.#viewer(call, params.organizationId), query);
  }

  @Handles(getImportRun)
  async get({ params }: InputOf<typeof getImportRun>, call: Call) {
    return getImport(call, await this.#viewer(call, params.organizationId), params.importId);
  }

  @Handles(cancelImportRun)
  async cancel({ params }: InputOf<typeof cancelImportRun>, call: Call) {
    const viewer = await this.#viewer(call, params.organizationId);
    const { status } = await requireImport(call, viewer, params.importId);
    if (status === 'pending' || status === 'in-progress') await cancelImport(call, params);
    return getImport(call, viewer, params.importId);
  }

  async #viewer(call: Call, organization: string) {
    const { role } = await requirePlace(call, this.access, organization);
    return role === 'admin' ? { organization } : { organization, createdBy: call.principal.id };
  }
}
