import { requiredIn, type ServiceAccess } from '@scriptorium/access';
import {
  blaming,
  invalid,
  lacksLevel,
  roleAtLeast,
  type ConfigurationValues,
  type InstallationStatus,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import {
  addTarget,
  changeTarget,
  configureBy,
  declaredBy,
  entryKey,
  handleInstallation,
  removeTarget,
  requirePlace,
  takes,
  targetEntries,
  type FoundInstallation,
  type Target,
} from '../installations/index.js';
import { levelOn } from '../places/index.js';
import type { FoundTarget } from './targets.queries.js';

/**
 * Installs an integration on a space or site. `field`: what names it in the request. Whether it was not there.
 * @throws AppError `not_found` and `forbidden` naming the field, `invalid_request` for an integration that does not fit
 */
export async function addFor(
  call: Call,
  access: ServiceAccess,
  found: FoundInstallation,
  { target, field }: { target: Target; field: string },
): Promise<boolean> {
  const { kind } = target;
  const place = await requirePlace(call, access, found.installation.organization, call.principal);
  const level = await levelOn(call, access, place, target);
  if (level === undefined || !roleAtLeast(level, 'read'))
    throw blaming('not_found', field, `The organization has no such ${kind}, or you may not see it`);
  if (!roleAtLeast(level, 'create')) throw lacksLevel('create', kind, field);
  if (!takes(found.integration.target, kind)) throw invalid(field, `The integration is not installed on ${kind}s`);
  return handleInstallation(at(call, target), found, (state, began) => addTarget(state, began, target));
}

/** Takes an integration from a space or site. Whether it was there. @throws AppError `selected_by_all` */
export function removeFor(call: Call, { target, ...found }: FoundTarget): Promise<boolean> {
  return handleInstallation(at(call, target), found, (state, began) => removeTarget(state, began, target));
}

/**
 * Configures an integration on a space or site.
 * @throws AppError `configuration_invalid`, `too_large`, `conflict`
 */
export async function changeFor(
  call: Call,
  { target, ...found }: FoundTarget,
  wanted: { configuration?: ConfigurationValues | undefined; externalIds?: readonly string[] | undefined },
): Promise<void> {
  const { configuration, externalIds } = wanted;
  const { installation, integration } = found;
  const entry = await call.store.read(targetEntries).byId(entryKey(installation._id, target));
  const name = { owner: installation._id, target, version: entry?.configuration ?? null };
  const declared = declaredBy(integration, target.kind);
  const configured = configuration === undefined ? undefined : await configureBy(call, name, declared, configuration);
  const statusWith = (set: readonly string[] = []): InstallationStatus =>
    requiredIn(declared).every((property) => set.includes(property)) ? 'active' : 'pending';
  const statuses = { status: statusWith(configured?.set), statusBefore: statusWith(entry?.set) };
  await handleInstallation(at(call, target), found, (state, began) =>
    changeTarget(state, began, target, { configured: configured && { ...configured, ...statuses }, externalIds }),
  );
}

/** What happens there happens in the space or site. */
function at({ store }: Call, { kind, id }: Target): Pick<Call, 'store'> {
  return { store: store.within({ [kind]: id }) };
}
