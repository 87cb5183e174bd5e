import { AppError, blaming, isProviderActive, limitReached, type ErrorDetail } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { type ProviderSettings, type SSOEvent, ssoEvents } from '../../events/index.js';

/** A provider with all settings that signing in needs. */
export type ActiveProvider = ProviderSettings & { entityID: string; ssoURL: string; certificate: string };
export type ProviderChange = { [K in keyof ProviderSettings]?: ProviderSettings[K] | undefined };

/**
 * The SAML providers of an organization, and whether single sign-on is enforced. They are one aggregate, so that it is
 * enforced only while there is an active provider.
 */
export interface SSO {
  providers: Keyed<ProviderSettings>;
  enforced: boolean;
}

function evolve(state: SSO, event: SSOEvent): SSO {
  switch (event.type) {
    case 'SAMLProviderCreated':
    case 'SAMLProviderConfigured':
      return { ...state, providers: keyedPut(state.providers, event.data.provider, event.data.settings) };
    case 'SAMLProviderDeleted':
      return { ...state, providers: keyedDrop(state.providers, event.data.provider) };
    case 'OrganizationSSOEnforcementEnabled':
      return { ...state, enforced: true };
    case 'OrganizationSSOEnforcementDisabled':
      return { ...state, enforced: false };
    case 'SSORecoveryUsed':
      return state;
    default:
      return unchanged(state, event);
  }
}

export const sso = defineAggregate({
  service: 'identity',
  entity: 'sso',
  events: ssoEvents,
  initial: { providers: emptyKeyed, enforced: false },
  evolve,
});

/** The settings that signing in needs and that are missing or invalid. */
function missingSettings({ ssoURL, entityID, certificate, certificateValid }: ProviderSettings): ErrorDetail[] {
  const there = {
    ssoURL: ssoURL !== null,
    entityID: entityID !== null,
    certificate: certificate !== null && certificateValid,
  };
  return Object.entries(there).flatMap(([name, isThere]) =>
    isThere ? [] : [{ path: `body.${name}`, message: 'Is required while single sign-on is enforced' }],
  );
}

/** Creates a provider. `limit`: the most providers of an organization. */
export function createProvider(
  state: SSO,
  input: { provider: string; settings: ProviderSettings; limit: number },
): SSOEvent[] {
  const { provider, settings, limit } = input;
  if (state.providers.size >= limit) throw limitReached('samlProvidersPerOrganization', limit);
  return [{ type: 'SAMLProviderCreated', data: { provider, settings } }];
}

/**
 * Changes the given settings of a provider. It is refused when single sign-on is enforced and no active provider would
 * be left.
 */
export function configureProvider(state: SSO, input: { provider: string; change: ProviderChange }): SSOEvent[] {
  const { provider, change } = input;
  const present = keyedGet(state.providers, provider);
  if (present === undefined) throw new AppError('not_found');
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings: ProviderSettings = { ...present, ...named };
  if ((Object.keys(settings) as (keyof ProviderSettings)[]).every((name) => settings[name] === present[name]))
    return [];
  if (state.enforced && !isProviderActive(settings) && !othersAreActive(state, provider))
    throw new AppError('sso_in_use', missingSettings(settings));
  return [{ type: 'SAMLProviderConfigured', data: { provider, settings } }];
}

/** Deletes a provider. When it is the last active one, single sign-on is no longer enforced. */
export function deleteProvider(state: SSO, input: { provider: string }): SSOEvent[] {
  if (keyedGet(state.providers, input.provider) === undefined) return [];
  const deleted: SSOEvent = { type: 'SAMLProviderDeleted', data: input };
  const stays = !state.enforced || othersAreActive(state, input.provider);
  return stays ? [deleted] : [deleted, { type: 'OrganizationSSOEnforcementDisabled', data: {} }];
}

/** Turns the enforcement of single sign-on on or off. */
export function enforce(state: SSO, input: { on: boolean }): SSOEvent[] {
  if (state.enforced === input.on) return [];
  if (!input.on) return [{ type: 'OrganizationSSOEnforcementDisabled', data: {} }];
  if (!othersAreActive(state)) throw blaming('sso_unavailable', 'body.sso');
  return [{ type: 'OrganizationSSOEnforcementEnabled', data: {} }];
}

function othersAreActive({ providers }: SSO, except?: string): boolean {
  return keyedEntries(providers).some(([id, settings]) => id !== except && isProviderActive(settings));
}

/**
 * Records that an admin has changed something without the enforced single sign-on. The change itself may have ended the
 * enforcement.
 */
export function recordRecoveryUsed(): SSOEvent[] {
  return [{ type: 'SSORecoveryUsed', data: {} }];
}

/**
 * The settings of an active provider.
 * @throws AppError `not_found`, `sso_unavailable` for an incomplete provider
 */
export function activeProvider(state: SSO, provider: string): ActiveProvider {
  const settings = keyedGet(state.providers, provider);
  if (settings === undefined) throw new AppError('not_found');
  const { entityID, ssoURL, certificate } = settings;
  if (!isProviderActive(settings) || entityID === null || ssoURL === null || certificate === null)
    throw blaming('sso_unavailable', 'params.samlProviderId');
  // Blanks around an id were stored before they were refused a place there; no provider sends them.
  return { ...settings, entityID: entityID.trim(), ssoURL, certificate };
}
