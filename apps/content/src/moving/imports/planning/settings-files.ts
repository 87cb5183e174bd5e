import { contentBounds, type ImportWarning } from '@scriptorium/contracts';
import { summaryPath, variablesPath, configPath } from '../../archive-format/index.js';
import { yamlMap } from '../navigation/yaml-map.js';

/** What `.gitbook.yaml` says. Paths are relative to the folder that it names, which is empty for its own one. */
export interface FolderConfig {
  root: string;
  summary: string;
  /** The file that says so. */
  path: string;
  warnings: ImportWarning[];
}

/** Reads `.gitbook.yaml`. What cannot be read counts as not given. */
export function readConfig(text: string | undefined): FolderConfig {
  const given = text === undefined ? {} : yamlMap(text);
  const warn = (target?: string): ImportWarning => ({
    kind: 'not_supported',
    path: configPath,
    ...(target === undefined ? {} : { target }),
  });
  if (given === undefined) return { root: '', summary: summaryPath, path: configPath, warnings: [warn()] };
  const structure = mapIn(given['structure']);
  const redirects = [given['redirects'], structure['redirects']].some((map) => Object.keys(mapIn(map)).length > 0);
  return {
    root: plainPath(given['root']) ?? '',
    summary: plainPath(structure['summary']) ?? summaryPath,
    path: configPath,
    warnings: redirects ? [warn('redirects')] : [],
  };
}

/** Reads `book.toml`: the folder of the chapters. `undefined` for one that leads out. */
export function readBook(text: string): { root: string } | undefined {
  const [, section = ''] = /^\s*\[\s*book\s*\][^\n]*\n((?:(?!\s*\[)[^\n]*(?:\n|$))*)/m.exec(text) ?? [];
  const [, double, single] = /^\s*src\s*=\s*(?:"([^"\\\n]*)"|'([^'\n]*)')/m.exec(section) ?? [];
  const root = plainPath(double ?? single ?? 'src');
  return root === undefined ? undefined : { root };
}

function mapIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A path without `./` and slashes at its ends; `undefined` for one that leads out. */
function plainPath(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const parts = value.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
}

/** Reads the variables of a space; those that cannot be variables are named in warnings. */
export function readVariables(text: string): { variables: Record<string, string>; warnings: ImportWarning[] } {
  const given = yamlMap(text);
  if (given === undefined) return { variables: {}, warnings: [{ kind: 'front_matter', path: variablesPath }] };
  const variables: Record<string, string> = {};
  const warnings: ImportWarning[] = [];
  for (const [name, value] of Object.entries(given)) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    const fits =
      /^[A-Za-z][A-Za-z0-9_]*$/.test(name) &&
      name.length <= contentBounds.variableName &&
      typeof text === 'string' &&
      text.length <= contentBounds.variable;
    if (fits) variables[name] = text;
    else warnings.push({ kind: 'front_matter', path: variablesPath, target: name.slice(0, 256) });
  }
  return { variables, warnings };
}
