import { parseDocument } from 'yaml';

const longestYaml = 256 * 1024;

/** What YAML says, or why it cannot be read. */
export type ReadYaml = { map: Record<string, unknown> } | { problem: string };

/**
 * Reads YAML that is a map and has no aliases that multiply it. Tags that are not known, such as those of Python, say
 * nothing. `uniqueKeys`: whether a key may stand there only once; otherwise the last one counts.
 */
export function readYaml(text: string, { uniqueKeys }: { uniqueKeys: boolean }): ReadYaml {
  if (text.length > longestYaml) return { problem: `It has more than ${longestYaml} characters` };
  try {
    const document = parseDocument(text.replace(/^\ufeff/, ''), { schema: 'core', logLevel: 'error', uniqueKeys });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const map = mapOf(document.toJS({ maxAliasCount: 20 }) ?? {});
    return map === undefined ? { problem: 'It is no map of YAML' } : { map };
  } catch (error) {
    // The message names the line; what follows shows it.
    const [said = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    return { problem: `It is no YAML: ${said.replace(/:$/, '')}` };
  }
}

/** What YAML says; `undefined` for what cannot be read. */
export function yamlMap(text: string): Record<string, unknown> | undefined {
  const read = readYaml(text, { uniqueKeys: true });
  return 'map' in read ? read.map : undefined;
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
