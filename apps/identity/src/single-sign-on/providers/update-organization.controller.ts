import { updateOrganizationById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import {
  changeSettings,
  checkDefaultSite,
  checkMergeRules,
  checkSettings,
  getOrganization,
} from '../../organizations/index.js';
import { enforce, sso } from './sso.js';

/** Changes the settings of an organization. One of them, whether single sign-on is enforced, belongs to this domain. */
@Controller()
export class UpdateOrganizationController {
  @Handles(updateOrganizationById)
  async update({ params, body }: InputOf<typeof updateOrganizationById>, call: Call) {
    const id = params.organizationId;
    const { sso: enforced } = body;
    // Checked first, since all settings are changed or none.
    if (enforced === true) enforce(await call.store.load(sso, id), { on: true });
    const change = checkSettings(body, call.limits);
    await checkDefaultSite(call, id, change.site);
    await checkMergeRules(call, id, change.mergeRules ?? []);
    await changeSettings(call, id, change, call.principal.id);
    if (enforced !== undefined) await call.store.handle(sso, id, (state) => enforce(state, { on: enforced }));
    return getOrganization(call, id, call.principal.id);
  }
}
