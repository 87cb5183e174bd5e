import type { ContentTree } from '../object-store/index.js';
import { idIn, keys } from './records.js';

/** The variables of a space. */
export async function variablesOf(tree: ContentTree): Promise<Record<string, string>> {
  const entries = await tree.range(keys.variables);
  return Object.fromEntries(entries.map(([key, value]) => [idIn(key), value as string]));
}
