import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getIntegrationInstallationById,
  installIntegration,
  pauseIntegrationInstallation,
  resumeIntegrationInstallation,
  rotateInstallationSigning,
  uninstallIntegration,
  updateIntegrationInstallation,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call, type Scope } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { requireIntegration } from '../publishing/index.js';
import { changeInstallation, handleInstallation, resumeInstallation } from './change-installation.process.js';
import { installFor } from './install.process.js';
import { pause, rotateSigning } from './installation.js';
import { requireInstallation, type InstallationParams } from './installations.queries.js';
import { roster, uninstall } from './roster.js';
import { showInstallations } from './show-installations.queries.js';

/** Installations of integrations in organizations. */
@Controller()
export class InstallationsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(installIntegration)
  async install({ params, body }: InputOf<typeof installIntegration>, call: Call) {
    const integration = await requireIntegration(call, params.integrationName);
    const installationId = await installFor(call, this.access, integration, body);
    return readAfterCreate(call, () => this.read(call, call, { ...params, installationId }));
  }

  @Handles(getIntegrationInstallationById)
  async get({ params }: InputOf<typeof getIntegrationInstallationById>, call: Call) {
    return call.cached({ of: params }, (scope) => this.read(scope, call, params));
  }

  @Handles(updateIntegrationInstallation)
  async update({ params, body }: InputOf<typeof updateIntegrationInstallation>, call: Call) {
    await changeInstallation(call, await requireInstallation(call, params), body);
    return this.read(call, call, params);
  }

  @Handles(pauseIntegrationInstallation)
  async pause({ params }: InputOf<typeof pauseIntegrationInstallation>, call: Call) {
    await handleInstallation(call, await requireInstallation(call, params), (state) => pause(state, 'operator'));
  }

  @Handles(resumeIntegrationInstallation)
  async resume({ params }: InputOf<typeof resumeIntegrationInstallation>, call: Call) {
    await resumeInstallation(call, await requireInstallation(call, params));
  }

  @Handles(rotateInstallationSigning)
  async rotate({ params }: InputOf<typeof rotateInstallationSigning>, call: Call) {
    await handleInstallation(call, await requireInstallation(call, params), rotateSigning);
  }

  @Handles(uninstallIntegration)
  async uninstall({ params }: InputOf<typeof uninstallIntegration>, call: Call) {
    const { installation } = await requireInstallation(call, params);
    const { events } = await call.store.handle(roster, installation.organization, (state) =>
      uninstall(state, installation._id, 'uninstalled'),
    );
    return events.length > 0;
  }

  private async read(scope: Scope, { principal }: Call, params: InstallationParams) {
    const found = await requireInstallation(scope, params);
    const [shown] = await showInstallations(scope, this, principal, [found]);
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  }
}
