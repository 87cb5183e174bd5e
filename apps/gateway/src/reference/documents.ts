import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { stringify } from 'yaml';
import { openApiDocument, type Operation } from '@scriptorium/contracts';
import type { Stamp } from '../http/headers.js';
import { referencePage, referencePolicy } from './page.js';

export interface DocumentOptions {
  publicUrl: string;
  version: string;
}

/**
 * Serves the OpenAPI document and the page that shows it. Everything is made once and comes from this process: the page
 * loads nothing from elsewhere. Returns the paths.
 */
export function registerDocuments(fastify: FastifyInstance, table: readonly Operation[], options: DocumentOptions, stamp: Stamp): string[] {
  const document = openApiDocument(table, { serverUrl: options.publicUrl, version: options.version });
  const serve = (path: string, type: string, body: Buffer, headers: Record<string, string> = {}): string => {
    fastify.get(path, (_request, reply) => send(reply, stamp, type, body, headers));
    return path;
  };
  const documents = [
    serve('/openapi.json', 'application/json; charset=utf-8', Buffer.from(JSON.stringify(document)), cached),
    serve('/openapi.yaml', 'application/yaml; charset=utf-8', Buffer.from(stringify(document, { aliasDuplicateObjects: false })), cached),
  ];
  const script = readScript();
  if (script === null) return documents;
  return [
    ...documents,
    serve('/reference', 'text/html; charset=utf-8', Buffer.from(referencePage()), { ...cached, 'content-security-policy': referencePolicy }),
    serve('/reference/script.js', 'text/javascript; charset=utf-8', script, { ...cached, 'content-encoding': 'gzip' }),
  ];
}

/** These are the same for everyone until the next version. */
const cached = { 'cache-control': 'public, max-age=300' };

function send(reply: FastifyReply, stamp: Stamp, type: string, body: Buffer, headers: Record<string, string>): FastifyReply {
  stamp(reply);
  return reply.header('content-type', type).headers(headers).send(body);
}

/** The page's script, compressed by the build; absent where only the sources are. */
function readScript(): Buffer | null {
  const file = [new URL('../assets/reference.js.gz', import.meta.url), new URL('../../dist/assets/reference.js.gz', import.meta.url)];
  const found = file.find((url) => existsSync(url));
  return found === undefined ? null : readFileSync(found);
}
