const TOML = /^\ufeff?\+\+\+[ \t]*\r?\n([^]*?)\r?\n\+\+\+[ \t]*(?:\r?\n|$)/;
const PAIR = /^[ \t]*([A-Za-z0-9_-]+|"[^"\n]+")[ \t]*=[ \t]*(.*?)[ \t]*$/;
const MAX_LENGTH = 64 * 1024;

/**
 * The text with front matter of TOML as YAML: its texts, numbers, truth values and lists of such, without tables and
 * dates.
 */
export function withYaml(text: string): string {
  const found = text.startsWith('+++') || text.startsWith('\ufeff+++') ? TOML.exec(text.slice(0, MAX_LENGTH)) : null;
  if (!found) return text;
  const [all, toml = ''] = found;
  const lines: string[] = [];
  for (const line of toml.split(/\r?\n/)) {
    if (/^[ \t]*\[/.test(line)) break;
    const [, name = '', value = ''] = PAIR.exec(line) ?? [];
    const read = name === '' ? undefined : valueOf(value);
    if (read !== undefined) lines.push(`${name}: ${read}`);
  }
  return `---\n${lines.join('\n')}\n---\n\n${text.slice(all.length)}`;
}

/** A value of TOML as JSON, which is YAML too. */
function valueOf(written: string): string | undefined {
  const json = written
    .replace(/[ \t]+#[^"']*$/, '')
    .replace(/'([^'"\n\\]*)'/g, '"$1"')
    .replace(/,\s*\]$/, ']');
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}
