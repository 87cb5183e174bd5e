/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

const shortestWritten = 8;

/**
 * The values of an environment that no trace may show: secrets, keys and tokens, and what the script itself has written
 * into a configuration. The latter are texts in objects there, since what people fill in are plain values.
 */
export function secretsIn(environment: unknown): string[] {
  const { secrets, signingSecrets, apiTokens, authToken, signingSecret, ...others } = objectOf(environment);
  const told = [secrets, signingSecrets, apiTokens, authToken, signingSecret].flatMap((part) => textsIn(part));
  const written = ['installation', 'spaceInstallation', 'siteInstallation']
    .flatMap((name) => Object.values(objectOf(objectOf(others[name])['configuration'])))
    .filter((value) => typeof value === 'object')
    .flatMap((value) => textsIn(value))
    .filter((text) => text.length >= shortestWritten);
  return [...told, ...written].filter((text) => text !== '');
}

/** Replaces each of the values by `***`, also as it stands within JSON and in addresses. */
export function maskOf(values: readonly string[]): Mask {
  const forms = new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encoded(value)]));
  // A longer one may contain a shorter one.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((left, form) => left.replaceAll(form, () => '***'), text);
}

/** A text with half a character cannot be in an address. */
function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

const deepest = 10;

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
