import { dump } from 'js-yaml';

/** A document in JSON as YAML. Texts stay on one line, and nothing is an alias: both are hard to read for programs. */
export function toYaml(document: Uint8Array): string {
  const value: unknown = JSON.parse(Buffer.from(document).toString('utf8'));
  return dump(value, { noRefs: true, lineWidth: -1 });
}
