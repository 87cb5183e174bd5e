import { integrationBounds, policyDirectives, type IntegrationContentSecurityPolicy } from '@scriptorium/contracts';

const known: ReadonlySet<string> = new Set(policyDirectives);

/** The content security policy of an integration as a header, of directives that are known. Pure. */
export function policyText(policy: IntegrationContentSecurityPolicy | null): string | undefined {
  if (policy === null) return undefined;
  const given =
    typeof policy === 'string'
      ? policy.split(';').map((one) => one.trim())
      : Object.entries(policy).map(([name, value]) => `${name} ${value}`.trim());
  const directives = given.filter((one) => known.has(one.split(/\s/, 1)[0]?.toLowerCase() ?? '') && isOneLine(one));
  const text = directives.join('; ');
  return text === '' || text.length > integrationBounds.policy ? undefined : text;
}

/** Printable ASCII, and no comma, which would begin another policy. */
function isOneLine(text: string): boolean {
  return /^[\x20-\x2b\x2d-\x7e]*$/.test(text);
}
