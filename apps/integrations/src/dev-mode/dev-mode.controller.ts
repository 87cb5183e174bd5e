import {
  disableIntegrationDevelopmentMode,
  getIntegrationDevelopmentMode,
  setIntegrationDevelopmentMode,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireIntegration } from '../publishing/index.js';
import { beginDevMode, findDevMode, leaveDevMode } from './dev-mode.process.js';

/** The development mode of integrations. */
@Controller()
export class DevModeController {
  @Handles(getIntegrationDevelopmentMode)
  async get({ params }: InputOf<typeof getIntegrationDevelopmentMode>, call: Call) {
    const { _id: id } = await requireIntegration(call, params.integrationName);
    const mode = await findDevMode(call, id);
    return mode === undefined ? { enabled: false } : { enabled: true, ...mode };
  }

  @Handles(setIntegrationDevelopmentMode)
  async enable({ params, body }: InputOf<typeof setIntegrationDevelopmentMode>, call: Call) {
    const integration = await requireIntegration(call, params.integrationName);
    await beginDevMode(call, integration, { ...body, byOperator: call.principal.operator });
  }

  @Handles(disableIntegrationDevelopmentMode)
  async disable({ params }: InputOf<typeof disableIntegrationDevelopmentMode>, call: Call) {
    const { _id: id, organization } = await requireIntegration(call, params.integrationName);
    const { database } = call;
    return leaveDevMode({ store: call.store.in(organization), database }, id, { reason: 'ended' });
  }
}
