import { ServiceAccess } from '@scriptorium/access';
import {
  getOrganizationIntegrationStatus,
  listIntegrationInstallations,
  listOrganizationInstallations,
  listOrganizationIntegrations,
  listOrganizationIntegrationsStatus,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Addresses } from '../addresses/index.js';
import { listInstallable, requireIntegration } from '../publishing/index.js';
import { installedIn } from './installations.queries.js';
import { listOfIntegration, listOfOrganization, listStatus, statusIn } from './list-installations.queries.js';

/** Lists of installations: of an integration, and of an organization. */
@Controller()
export class InstallationListsController {
  constructor(
    readonly access: ServiceAccess,
    readonly addresses: Addresses,
  ) {}

  @Handles(listIntegrationInstallations)
  async ofIntegration({ params, query }: InputOf<typeof listIntegrationInstallations>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) => {
      const integration = await requireIntegration(scope, params.integrationName);
      const listed = { caller: call.principal, integration };
      return listOfIntegration(scope, this, listed, { ...query, operation: call.operation });
    });
  }

  @Handles(listOrganizationIntegrations)
  async installable({ params, query }: InputOf<typeof listOrganizationIntegrations>, call: Call) {
    const { organizationId: organization } = params;
    return call.cached({ of: [params, query] }, async (scope) => {
      const installed = (await installedIn(scope, organization)).map(({ integration }) => integration);
      const listed = { caller: call.principal, organization, installed };
      return listInstallable(scope, this, listed, { ...query, operation: call.operation });
    });
  }

  @Handles(listOrganizationInstallations)
  async ofOrganization({ params, query }: InputOf<typeof listOrganizationInstallations>, call: Call) {
    const listed = { caller: call.principal, organization: params.organizationId };
    const request = { ...query, operation: call.operation };
    return call.cached({ of: [params, query] }, (scope) => listOfOrganization(scope, this, listed, request));
  }

  @Handles(listOrganizationIntegrationsStatus)
  async statuses({ params, query }: InputOf<typeof listOrganizationIntegrationsStatus>, call: Call) {
    const listed = { caller: call.principal, organization: params.organizationId };
    const request = { ...query, operation: call.operation };
    return call.cached({ of: [params, query] }, (scope) => listStatus(scope, this, listed, request));
  }

  @Handles(getOrganizationIntegrationStatus)
  async status({ params }: InputOf<typeof getOrganizationIntegrationStatus>, call: Call) {
    return call.cached({ of: params }, async (scope) => ({
      status: await statusIn(scope, params.organizationId, params.integrationName),
    }));
  }
}
