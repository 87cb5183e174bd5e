import { compile, openPack, operationOf, schemasOf, webhookOf, type Pack } from '@scriptorium/openapi';
import type { Block, Data, RichDocument } from '@scriptorium/rich-text';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { withCodeOfOperations } from '../rich-text/openapi/code-of-operations.js';
import { apiTextsOf } from '../texts/api/api-texts.js';
import { textsOf } from '../texts/texts.js';
import { shown } from './document.js';

const folder = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

/** Specifications that others wrote. */
export const corpus: [name: string, text: string][] = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
);

export async function packOf(given: object | string): Promise<Pack> {
  const result = await compile(typeof given === 'string' ? given : JSON.stringify(given));
  if (!result.isReadable) throw new Error(result.problems.items[0]?.message);
  return openPack(result.pack.bytes);
}

function block(type: string, data: Data, resolved: object | null): Block {
  // What comes from the API has been JSON.
  const come = JSON.parse(JSON.stringify({ resolved })) as Data;
  return { object: 'block', type, isVoid: true, data: { ...data, ...come } };
}

const spec = { spec: 'forge', version: 'v1' };

/** The block of an operation, as the API hands it out. */
export function operationBlock(pack: Pack, method: string, path: string, more: Data = {}): Block {
  const found = operationOf(pack, method, path);
  if (found === null) return block('openapi-operation', { method, path, ...more }, null);
  const { schemas, ...operation } = found;
  return block('openapi-operation', { method, path, ...more }, { ...spec, operation, schemas });
}

export function webhookBlock(pack: Pack, name: string): Block {
  const found = webhookOf(pack, name);
  if (found === null) return block('openapi-webhook', { name }, null);
  const { schemas, ...operation } = found;
  return block('openapi-webhook', { name }, { ...spec, operation, schemas });
}

export function schemasBlock(pack: Pack, ...schemas: string[]): Block {
  return block('openapi-schemas', { schemas }, { ...spec, schemas: schemasOf(pack, schemas) });
}

/** The blocks of all operations and webhooks of a specification. */
export function allBlocks(pack: Pack): Block[] {
  return [
    ...[...pack.operations.keys()].map((name) => {
      const end = name.indexOf(' ');
      return operationBlock(pack, name.slice(0, end), name.slice(end + 1));
    }),
    ...[...pack.webhooks.keys()].map((name) => webhookBlock(pack, name.slice(name.indexOf(' ') + 1))),
  ];
}

export function documentOf(...nodes: Block[]): RichDocument {
  return { object: 'document', data: {}, nodes };
}

/** Blocks as they are shown on a page. */
export function cards(...nodes: Block[]): string {
  return cardsIn('en', ...nodes);
}

/** The same on a page in another language. */
export function cardsIn(locale: string, ...nodes: Block[]): string {
  const says = { say: textsOf(locale), sayOfApi: apiTextsOf(locale), locale };
  return shown(withCodeOfOperations(documentOf(...nodes)), says);
}
