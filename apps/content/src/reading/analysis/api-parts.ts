import type { SpecificationPart } from '@scriptorium/openapi';
import type { Block } from '@scriptorium/rich-text';
import { apiBlocks, type RichDocument } from '@scriptorium/rich-text/reading';

/** What a block shows of a specification. */
export interface ApiUse {
  /** The reference to the specification, which can have any form. */
  ref: Readonly<Record<string, unknown>>;
  part: SpecificationPart;
}

const mostSchemas = 500;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a block shows of a specification; `undefined` for other blocks, and for those that name none. */
export function apiUseOf({ type, data }: Block): ApiUse | undefined {
  const part = partOf(type, data);
  const { ref } = data;
  if (part === undefined || typeof ref !== 'object' || ref === null || Array.isArray(ref)) return undefined;
  return { ref, part };
}

function partOf(type: string, { method, path, name, schemas }: Block['data']): SpecificationPart | undefined {
  switch (type) {
    case 'swagger':
    case 'openapi-operation':
      return { method: text(method), path: text(path) };
    case 'openapi-webhook':
      return { webhook: text(name), ...(text(method) !== '' && { method: text(method) }) };
    case 'openapi-schemas': {
      const names = Array.isArray(schemas) ? schemas.filter((one) => typeof one === 'string') : [];
      return { schemas: names.slice(0, mostSchemas) };
    }
    default:
      return undefined;
  }
}

/** The blocks of a document that show parts of specifications, in their order. */
export function apiBlocksIn(document: RichDocument): { block: Block; use: ApiUse }[] {
  return apiBlocks(document).flatMap((block) => {
    const use = apiUseOf(block);
    return use === undefined ? [] : [{ block, use }];
  });
}

/** Begins the names of specifications that are files: no slug has a blank. */
const fileMark = 'file ';

/**
 * The name of the specification that a reference leads to: its slug or id in lower case, or that of a file of the same
 * space.
 */
export function specNamed({ kind, spec, file, space }: ApiUse['ref']): string | undefined {
  if (kind === 'openapi') return typeof spec === 'string' ? spec.toLowerCase() : undefined;
  return kind === 'file' && typeof file === 'string' && space === undefined ? `${fileMark}${file}` : undefined;
}

/** The id of the file that has this name as a specification. */
export function fileNamed(name: string): string | undefined {
  return name.startsWith(fileMark) ? name.slice(fileMark.length) : undefined;
}
