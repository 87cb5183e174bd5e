import type { OperationSlice } from '../slices/pack.js';
import { isMembers, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
import { code } from './markdown-text.js';
import { schemasToMarkdown, toMarkdown } from './markdown.js';

const most = { names: 20 };

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

/**
 * The same, with a sentence for what is not there, in place of a block that readers could do nothing with.
 * `isComplete`: whether a block without `resolved` is one that has nothing to show, and not one that was not asked for.
 */
export function sentencesOfBlocks(
  blocks: readonly ShownBlock[],
  { isComplete = false }: { isComplete?: boolean } = {},
): (string | null)[] {
  const texts = markdownOfBlocks(blocks);
  return blocks.map(({ data }, place) => {
    const isAsked = isComplete || data['resolved'] !== undefined;
    return texts[place] ?? (isAsked ? missing(data) : null);
  });
}

function missing(data: Members): string {
  const { method, path, name, resolved } = data;
  const names = listOf(data['schemas']).filter((one) => typeof one === 'string');
  const called = [textOf(method).toUpperCase(), lineOf(path) || lineOf(name)].filter((part) => part !== '').join(' ');
  const what = names.length > 0 ? names.slice(0, most.names).map(lineOf).join(', ') : called;
  const subject = what === '' ? 'This part of the API' : code(what);
  return members(resolved)['truncated'] === true
    ? `${subject} is left out: the page is too large.\n`
    : `${subject} is not available.\n`;
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
