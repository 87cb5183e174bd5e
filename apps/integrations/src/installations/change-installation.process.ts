import { installationStatus } from '@scriptorium/access';
import { blaming, type InputOf, type updateIntegrationInstallation } from '@scriptorium/contracts';
import type { Decide } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import { configureBy } from './configuration.process.js';
import { requireSelections } from './install.process.js';
import { change, installation as installationOf, resume, type InstallationState } from './installation.js';
import type { InstallationEvent, Installed } from './installation.events.js';
import type { FoundInstallation, StoredInstallation } from './installations.queries.js';
import { isOfIntegration } from './integration-caller.queries.js';
import { requireInstalled, roster } from './roster.js';
import { declaredBy, demandsOf, statusOf } from './show-installations.queries.js';

type Body = InputOf<typeof updateIntegrationInstallation>['body'];

/**
 * Changes an installation. A user also grants what the integration asks for, and resumes it; the integration changes
 * neither that nor what it reaches.
 * @throws AppError `configuration_invalid`, `forbidden`, `conflict` and what names a field of the body
 */
export async function changeInstallation(call: Call, found: FoundInstallation, body: Body): Promise<void> {
  const { installation, integration } = found;
  const { configuration, externalIds, space_selection: spaceSelection, site_selection: siteSelection } = body;
  const isUser = !isOfIntegration(call.principal);
  if (isUser) requireSelections(integration.target, call.access.role ?? null, changedSelections(installation, body));
  else refuseSelections(body);
  const { _id: owner, configuration: version } = installation;
  const declared = declaredBy(integration, 'account');
  const configured =
    configuration === undefined ? undefined : await configureBy(call, { owner, version }, declared, configuration);
  const { scopes } = integration;
  const facts = {
    granted: isUser ? scopes : installation.granted,
    set: configured?.set ?? installation.set,
  };
  const statuses = {
    status: installationStatus(facts, demandsOf(integration)),
    statusBefore: statusOf(found),
  };
  await handleInstallation(call, found, (state, began) =>
    change(state, began, {
      configured: configured && { ...configured, ...statuses },
      externalIds,
      spaceSelection,
      siteSelection,
      demanded: isUser ? { scopes, version: integration.version, ...statuses } : undefined,
    }),
  );
}

/** Resumes an installation that is paused. */
export async function resumeInstallation(call: Call, found: FoundInstallation): Promise<void> {
  const { granted, set } = found.installation;
  const status = installationStatus({ granted, set }, demandsOf(found.integration));
  await handleInstallation(call, found, (state) => resume(state, status));
}

function changedSelections({ spaceSelection, siteSelection }: StoredInstallation, body: Body) {
  const { space_selection, site_selection } = body;
  return {
    space_selection: space_selection === spaceSelection ? undefined : space_selection,
    site_selection: site_selection === siteSelection ? undefined : site_selection,
  };
}

function refuseSelections(body: Body): void {
  for (const field of ['space_selection', 'site_selection'] as const)
    if (body[field] !== undefined)
      throw blaming('forbidden', `body.${field}`, 'Only a user changes what an integration reaches');
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
