import { installationStatus } from '@scriptorium/access';
import type { InputOf, updateIntegrationInstallation } from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import { configureByUser } from './configuration.process.js';
import { requireSelections } from './install.process.js';
import { change, installation as installationOf, type InstallationState } from './installation.js';
import type { InstallationEvent, Installed } from './installation.events.js';
import type { FoundInstallation } from './installations.queries.js';
import { requireInstalled, roster } from './roster.js';
import { declaredBy, demandsOf, statusOf } from './show-installations.queries.js';

type Body = InputOf<typeof updateIntegrationInstallation>['body'];

/**
 * Changes an installation for a user, and grants what the integration asks for.
 * @throws AppError `configuration_invalid`, `forbidden`, `conflict` and what names a field of the body
 */
export async function changeInstallation(
  call: Call,
  found: FoundInstallation,
  { configuration, externalIds, space_selection, site_selection }: Body,
): Promise<void> {
  const { installation, integration } = found;
  const { _id: owner, configuration: version, spaceSelection, siteSelection } = installation;
  requireSelections(integration.target, call.access.role ?? null, {
    space_selection: space_selection === spaceSelection ? undefined : space_selection,
    site_selection: site_selection === siteSelection ? undefined : site_selection,
  });
  const declared = declaredBy(integration, 'account');
  const configured =
    configuration === undefined ? undefined : await configureByUser(call, { owner, version }, declared, configuration);
  const { scopes } = integration;
  const set = configured?.set ?? installation.set;
  const status = installationStatus({ granted: scopes, set }, demandsOf(integration));
  const statuses = { status, statusBefore: statusOf(found) };
  await handleInstallation(call, found, (state, began) =>
    change(state, began, {
      configured: configured && { ...configured, ...statuses },
      externalIds,
      spaceSelection: space_selection,
      siteSelection: site_selection,
      demanded: { scopes, version: integration.version, ...statuses },
    }),
  );
}

/** Decides about an installation, by how it began and what has changed since. Whether something was recorded. */
export async function handleInstallation(
  { store }: Pick<Call, 'store'>,
  { installation: { _id: id, organization } }: Pick<FoundInstallation, 'installation'>,
  decide: (state: InstallationState, began: Installed) => ReturnType<Decide<InstallationState, InstallationEvent>>,
): Promise<boolean> {
  const began = requireInstalled(await store.load(roster, organization), id);
  const { events } = await store.handle(installationOf, id, (state) => decide(state, began));
  return events.length > 0;
}
