import type { Access, Principal } from './access.js';
import { kindsWithinOrganization } from './services.js';

/**
 * Whether a rule is out of reach of a caller whose session is good for one organization alone: it is about the user or the
 * installation.
 */
export function reachesBeyond(rule: Access, principal: Principal): boolean {
  return (
    principal.organization !== undefined &&
    rule.withinOrganization !== true &&
    !kindsWithinOrganization.has(rule.resource)
  );
}
