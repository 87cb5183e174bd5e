import { visitorOf, type Place, type ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  blaming,
  lacksLevel,
  roleAtLeast,
  type MemberRole,
  type Principal,
  type RenderContext,
} from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { installations, statusOf, type FoundInstallation, type Target } from '../installations/index.js';
import { knownSites, knownSpaces, levelOn } from '../places/index.js';
import type { StoredIntegration } from '../publishing/index.js';
import { isSelected } from '../targets/index.js';

/** Where something is rendered: in which installation, and on which space or site of it. */
export interface RenderPlace extends FoundInstallation {
  target: Target | null;
  /** Whether it is a component with which somebody configures the integration. */
  isConfiguration: boolean;
}

/** Who renders, and how a refusal names a field of the context. */
export interface Rendering {
  access: ServiceAccess;
  caller: Principal;
  field: (name: string) => string;
}

/**
 * The place of a context, as far as the caller may render there: whoever reads a space sees its blocks, and whoever may
 * configure an integration sees its configuration.
 * @throws AppError `not_found`, `forbidden` and `sso_required` that name the field of the context
 */
export async function findRenderPlace(
  scope: Scope,
  rendering: Rendering,
  integration: StoredIntegration,
  context: RenderContext,
): Promise<RenderPlace> {
  const least = context.type === 'document' ? 'read' : 'create';
  const named = namedIn(context);
  const organization = await organizationOf(scope, named);
  if (organization === null) throw notThere(rendering, named);
  await requireLevel(scope, rendering, { named, organization, least });
  const found = await installedIn(scope, integration, organization);
  const target = named.kind === 'organization' ? null : { kind: named.kind, id: named.id };
  const isConfiguration = context.type !== 'document';
  const isThere = found !== null && (target === null || isSelected(found, target));
  if (!isThere || (!isConfiguration && statusOf(found) !== 'active'))
    throw blaming('not_found', rendering.field(named.name), 'The integration is not active there');
  return { ...found, target, isConfiguration };
}

interface Named {
  kind: 'organization' | 'space' | 'site';
  id: string;
  /** The field that names it. */
  name: string;
}

function namedIn(context: RenderContext): Named {
  if ('siteId' in context) return { kind: 'site', id: context.siteId, name: 'siteId' };
  if ('spaceId' in context && context.spaceId !== undefined)
    return { kind: 'space', id: context.spaceId, name: 'spaceId' };
  if (!('organizationId' in context)) throw new AppError('unexpected');
  return { kind: 'organization', id: context.organizationId, name: 'organizationId' };
}

async function organizationOf({ store }: Scope, { kind, id }: Named): Promise<string | null> {
  if (kind === 'organization') return id;
  const found = kind === 'space' ? await store.read(knownSpaces).byId(id) : await store.read(knownSites).byId(id);
  return found?.organization ?? null;
}

interface Wanted {
  named: Named;
  organization: string;
  least: MemberRole;
}

async function requireLevel(scope: Scope, rendering: Rendering, { named, organization, least }: Wanted): Promise<void> {
  const { access, caller, field } = rendering;
  if (caller.kind === 'visitor') {
    if (least === 'read' && visitorOf(caller, { id: named.id, organization }) !== null) return;
    throw notThere(rendering, named);
  }
  const place = await access.placeIn(scope, organization, caller);
  const level = place === null ? undefined : await levelOf(scope, access, place, named);
  if (place === null || level === undefined || (level === null && named.kind !== 'organization'))
    throw notThere(rendering, named);
  if (place.withoutSSO) throw new AppError('sso_required');
  if (!roleAtLeast(level, least)) throw lacksLevel(least, named.kind, field(named.name));
}

async function levelOf(scope: Scope, access: ServiceAccess, place: Place, { kind, id }: Named) {
  return kind === 'organization' ? place.role : levelOn(scope, access, place, { kind, id });
}

function notThere({ field }: Rendering, { kind, name }: Named): AppError {
  return blaming('not_found', field(name), `There is no such ${kind}, or you may not see it`);
}

async function installedIn(
  { store }: Scope,
  integration: StoredIntegration,
  organization: string,
): Promise<FoundInstallation | null> {
  const filter = { integration: integration._id, organization, isEnding: false };
  const installation = await store.read(installations).findOne(filter);
  return installation === null ? null : { installation, integration };
}
