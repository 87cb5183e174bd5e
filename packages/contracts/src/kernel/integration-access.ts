import { userTokens, type Access, type Relation, type TokenKind } from './access.js';
import type { IntegrationScope } from './integration-scopes.js';

type Rule = Omit<Access, 'tokens'> & { tokens?: Access['tokens'] };

/**
 * The rule, open to installations that reach the resource and were granted a scope. Without `scope`: for what belongs
 * to the installation itself.
 */
export function openToInstallations<R extends Rule>(rule: R, scope?: IntegrationScope) {
  return { ...openTo(rule, 'installation'), ...(scope === undefined ? {} : { integrationScope: scope }) };
}

/** The rule, open to the integration that the resource belongs to. */
export function openToIntegration<R extends Rule>(rule: R) {
  return openTo(rule, 'integration');
}

function openTo<R extends Rule>(rule: R, kind: 'integration' | 'installation') {
  const tokens: readonly TokenKind[] = [...(rule.tokens ?? userTokens), kind];
  const view: readonly Relation[] = [...rule.view, kind];
  const allow: readonly Relation[] = [...rule.allow, kind];
  return { ...rule, tokens, view, allow };
}
