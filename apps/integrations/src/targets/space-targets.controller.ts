import { ServiceAccess } from '@scriptorium/access';
import {
  getIntegrationSpaceInstallation,
  installIntegrationOnSpace,
  listIntegrationInstallationSpaces,
  listIntegrationSpaceInstallations,
  uninstallIntegrationFromSpace,
  updateIntegrationSpaceInstallation,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import type { InstallationParams } from '../installations/index.js';
import { changeFor, removeFor } from './change-targets.process.js';
import {
  addShown,
  findTarget,
  showOfInstallation,
  showOfIntegration,
  showOne,
  type Asked,
} from './shown-targets.process.js';

const kind = 'space';
type Params = InstallationParams & { spaceId: string };

/** Integrations on spaces. */
@Controller()
export class SpaceTargetsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(listIntegrationSpaceInstallations)
  async ofIntegration(input: InputOf<typeof listIntegrationSpaceInstallations>, call: Call) {
    return showOfIntegration(call, this, kind, input);
  }

  @Handles(listIntegrationInstallationSpaces)
  async list(input: InputOf<typeof listIntegrationInstallationSpaces>, call: Call) {
    return showOfInstallation(call, this, kind, input);
  }

  @Handles(installIntegrationOnSpace)
  async add({ params, query, body }: InputOf<typeof installIntegrationOnSpace>, call: Call) {
    const { space: id } = body;
    const asked = this.asked({ ...params, spaceId: id }, query);
    return addShown(call, this, asked, 'body.space');
  }

  @Handles(getIntegrationSpaceInstallation)
  async get({ params, query }: InputOf<typeof getIntegrationSpaceInstallation>, call: Call) {
    return call.cached({ of: [params, query] }, (scope) => showOne(scope, call, this, this.asked(params, query)));
  }

  @Handles(updateIntegrationSpaceInstallation)
  async update({ params, query, body }: InputOf<typeof updateIntegrationSpaceInstallation>, call: Call) {
    const asked = this.asked(params, query);
    await changeFor(call, await findTarget(call, params, asked.target), body);
    return showOne(call, call, this, asked);
  }

  @Handles(uninstallIntegrationFromSpace)
  async remove({ params }: InputOf<typeof uninstallIntegrationFromSpace>, call: Call) {
    return removeFor(call, await findTarget(call, params, { kind, id: params.spaceId }));
  }

  private asked(params: Params, { extended }: { extended: boolean }): Asked<typeof kind> {
    return { params, target: { kind, id: params.spaceId }, extended };
  }
}
