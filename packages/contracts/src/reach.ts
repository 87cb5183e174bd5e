import type { Access } from './access.js';
import type { Principal } from './principal.js';
import { kindsWithinOrganization } from './services.js';

/**
 * Whether a rule is about the user or the installation, so that a session that is valid in one organization only is
 * refused.
 */
export function reachesBeyond(rule: Access, principal: Principal): boolean {
  return (
    principal.organization !== undefined &&
    rule.withinOrganization !== true &&
    !kindsWithinOrganization.has(rule.resource)
  );
}
