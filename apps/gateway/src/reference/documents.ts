import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { openApiDocument, type Operation } from '@scriptorium/contracts';
import { chooseCoding, compress, vary, type Coding } from '../http/answers/compression.js';
import { once } from '../once.js';
import { pageHeaders } from '../pages/layout.js';
import { errorDocuments } from './error-pages.js';
import { referencePage, referencePolicy } from './page.js';
import { registerRoot } from './root.js';
import { inYaml } from './yaml.js';

export interface DocumentOptions {
  publicUrl: string;
  version: string;
}

/**
 * Serves the root, the OpenAPI document, the reference page, and a page for each reason of an error. All of them are
 * made once and need nothing from other servers; those that take long are made when they are first requested, so that
 * no start waits for them. Returns the paths.
 */
export function registerDocuments(
  fastify: FastifyInstance,
  table: readonly Operation[],
  options: DocumentOptions,
): string[] {
  const openApi = once(() => openApiDocument(table, { serverUrl: options.publicUrl, version: options.version }));
  const serve = (path: string, type: string, text: Text, headers: Record<string, string> = {}): string => {
    const document = createDocument(text);
    fastify.get(path, async (request, reply) => {
      const coding = chooseCoding(request.headers['accept-encoding']);
      vary(reply, 'Accept-Encoding');
      reply
        .header('content-type', type)
        .headers({ ...cached, ...headers, ...(coding === undefined ? {} : { 'content-encoding': coding }) });
      return reply.send(await document(coding));
    });
    return path;
  };
  const documents = [
    serve('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(openApi())),
    serve('/openapi.yaml', 'application/yaml; charset=utf-8', () => inYaml(openApi())),
  ];
  for (const { path, body } of errorDocuments(table))
    documents.push(serve(path, 'text/html; charset=utf-8', body, pageHeaders));
  const script = readScript();
  documents.push(registerRoot(fastify, options.publicUrl, script !== null));
  if (script === null) return documents;
  return [
    ...documents,
    serve('/reference', 'text/html; charset=utf-8', referencePage(), { 'content-security-policy': referencePolicy }),
    serve('/reference/script.js', 'text/javascript; charset=utf-8', script),
  ];
}

/** The documents are the same for everybody until the next version. */
const cached = { 'cache-control': 'public, max-age=300' };

type Text = string | (() => string | Buffer | Promise<string>);

/** A document in every coding; it is made, and compressed, once, when it is first requested. */
function createDocument(text: Text): (coding: Coding | undefined) => Promise<Buffer> {
  const plain = once(async () => Buffer.from(typeof text === 'function' ? await text() : text));
  const made = new Map<Coding, Promise<Buffer>>();
  return (coding) => {
    if (coding === undefined) return plain();
    const body = made.get(coding) ?? plain().then((bytes) => compress(bytes, coding));
    made.set(coding, body);
    return body;
  };
}

/** The script of the page; null if the workspace was not built. */
function readScript(): (() => Buffer) | null {
  const file = [
    new URL('../assets/reference.js.gz', import.meta.url),
    new URL('../../dist/assets/reference.js.gz', import.meta.url),
  ];
  const found = file.find((url) => existsSync(url));
  return found === undefined ? null : () => gunzipSync(readFileSync(found));
}
