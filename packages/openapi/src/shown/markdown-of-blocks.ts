import type { OperationSlice } from '../slices/pack.js';
import { isMembers, listOf, members, textOf, type Members } from '../text/values.js';
import { schemasToMarkdown, toMarkdown } from './markdown.js';

/** A block that shows a part of a specification. `data.resolved`: what it shows (an operation, schemas by name). */
export interface ShownBlock {
  type: string;
  data: Members;
}

/**
 * The blocks of a page as markdown, in their order; `null` for one that shows nothing. Operations of one specification
 * have the schemas of all of them, each of which comes once.
 */
export function markdownOfBlocks(blocks: readonly ShownBlock[]): (string | null)[] {
  const schemas = new Map<string, Record<string, unknown>>();
  for (const { data } of blocks) {
    const { resolved } = data;
    if (!isMembers(resolved)) continue;
    const key = keyOf(resolved);
    schemas.set(key, { ...schemas.get(key), ...members(resolved['schemas']) });
  }
  return blocks.map(({ data }) => {
    const { resolved } = data;
    return isMembers(resolved) ? markdownOf(data, resolved, schemas.get(keyOf(resolved)) ?? {}) : null;
  });
}

function keyOf({ spec, version }: Members): string {
  return `${textOf(spec)} ${textOf(version)}`;
}

function markdownOf(data: Members, resolved: Members, schemas: Record<string, unknown>): string | null {
  const names = listOf(data['schemas']).filter((name) => typeof name === 'string');
  if (names.length > 0)
    return names.some((name) => Object.hasOwn(schemas, name)) ? schemasToMarkdown(names, schemas) : null;
  const given = members(resolved['operation']);
  if (!isMembers(given['operation'])) return null;
  const slice: OperationSlice = {
    method: textOf(given['method']),
    path: textOf(given['path']),
    operation: given['operation'],
    servers: listOf(given['servers']),
    securitySchemes: members(given['securitySchemes']),
    schemas,
  };
  return toMarkdown(slice, { isHeadless: data['headless'] === true });
}
