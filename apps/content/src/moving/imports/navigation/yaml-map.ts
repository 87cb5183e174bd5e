import { parseDocument } from 'yaml';

const longestYaml = 256 * 1024;

/**
 * Reads YAML; `undefined` for what is none, or has aliases that multiply it. Tags that are not known, such as those of
 * Python, say nothing.
 */
export function yamlMap(text: string): Record<string, unknown> | undefined {
  if (text.length > longestYaml) return undefined;
  try {
    const document = parseDocument(text.replace(/^\ufeff/, ''), { schema: 'core', logLevel: 'error' });
    if (document.errors.length > 0) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: 20 }) ?? {};
    return mapOf(value);
  } catch {
    return undefined;
  }
}

/** A value if it is an object with keys. */
export function mapOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** An own key of an object, of which others have chosen the keys. */
export function own(map: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** A text that says something. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}
