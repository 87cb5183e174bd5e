import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { openApiDocument, type Operation, type OperationExamples } from '@scriptorium/contracts';
import { vary } from '../http/answer.js';
import { chooseCoding, compress, type Coding } from '../http/compression.js';
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
  const { publicUrl: serverUrl, version } = options;
  const openApi = once(() => openApiDocument(table, { serverUrl, version, examples: readExamples() }));
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
  const found = assetAt('reference.js.gz');
  return found === undefined ? null : () => gunzipSync(readFileSync(found));
}

/** The examples of operations; none if the workspace was not built. */
function readExamples(): OperationExamples | undefined {
  const found = assetAt('examples.json');
  return found === undefined ? undefined : (JSON.parse(readFileSync(found, 'utf8')) as OperationExamples);
}

/** A file that the build placed beside the built gateway, which may run from its sources. */
function assetAt(name: string): URL | undefined {
  const places = [new URL(`../assets/${name}`, import.meta.url), new URL(`../../dist/assets/${name}`, import.meta.url)];
  return places.find((url) => existsSync(url));
}
