import type * as z from 'zod';
import type { MemberRole } from '../../kernel/access.js';
import type { ssoEventSchemas } from './sso-events.js';

type ProviderSettings = z.output<typeof ssoEventSchemas.SAMLProviderCreated>['settings'];
type SSOEvent = {
  [Type in keyof typeof ssoEventSchemas]: { type: Type; data: z.output<(typeof ssoEventSchemas)[Type]> };
}[keyof typeof ssoEventSchemas];

/** Whether and how an organization enforces single sign-on. */
export interface SSOFacts {
  /** Whether single sign-on is enforced. */
  enforced: boolean;
  /** Ids of the active providers. */
  activeProviders: readonly string[];
}

/** The facts of an organization without events in its `sso` stream. */
export const noSSO: SSOFacts = { enforced: false, activeProviders: [] };

/** Whether a provider is active: it has all settings that signing in needs. */
export function isProviderActive({ entityID, ssoURL, certificate, certificateValid }: ProviderSettings): boolean {
  return entityID !== null && ssoURL !== null && certificate !== null && certificateValid;
}

/** The facts after an event of the organization's `sso` stream; the same object when it does not change them. */
export function ssoFactsAfter<F extends SSOFacts>(facts: F, event: SSOEvent): F {
  switch (event.type) {
    case 'SAMLProviderCreated':
    case 'SAMLProviderConfigured':
      return withProvider(facts, event.data.provider, isProviderActive(event.data.settings));
    case 'SAMLProviderDeleted':
      return withProvider(facts, event.data.provider, false);
    case 'OrganizationSSOEnforcementEnabled':
      return { ...facts, enforced: true };
    case 'OrganizationSSOEnforcementDisabled':
      return { ...facts, enforced: false };
    case 'SSORecoveryUsed':
      return facts;
  }
}

function withProvider<F extends SSOFacts>(facts: F, provider: string, isActive: boolean): F {
  if (facts.activeProviders.includes(provider) === isActive) return facts;
  const others = facts.activeProviders.filter((id) => id !== provider);
  return { ...facts, activeProviders: isActive ? [...others, provider] : others };
}

/** The properties of a member that decide whether single sign-on is required of them. */
export interface SSOMember {
  /** `null` for a guest. */
  role: MemberRole | null;
  kind: 'person' | 'service';
  /** Providers at which they have an identity. Some may have been deleted. */
  providers: readonly string[];
}

/**
 * Whether single sign-on is enforced and the member has no identity at an active provider. It is not required of guests
 * and service accounts.
 */
export function lacksSSO({ enforced, activeProviders }: SSOFacts, { role, kind, providers }: SSOMember): boolean {
  if (!enforced || role === null || kind === 'service') return false;
  return !providers.some((provider) => activeProviders.includes(provider));
}
