import { randomUUID } from 'node:crypto';

type Requests = Record<string, [method: string, path: string, body?: object]>;

/** Requests about OpenAPI specifications, of which there is none but those that they make. */
export function openAPIRequests(organization: string): Requests {
  const path = `${organization}/openapi`;
  const source = { text: 'openapi: 3.1.0' };
  const fresh = `s${randomUUID()}`;
  return {
    listOpenAPISpecs: ['GET', path],
    createOpenAPISpec: ['POST', path, { slug: fresh, source }],
    getOpenAPISpecBySlug: ['GET', `${path}/none`],
    createOrUpdateOpenAPISpecBySlug: ['PUT', `${path}/${fresh}`, { source }],
    updateOpenAPISpecBySlug: ['PATCH', `${path}/none`, { visibility: 'public' }],
    deleteOpenAPISpecBySlug: ['DELETE', `${path}/none`],
    listOpenAPISpecVersions: ['GET', `${path}/none/versions`],
    getLatestOpenAPISpecVersion: ['GET', `${path}/none/versions/latest`],
    getOpenAPISpecVersionById: ['GET', `${path}/none/versions/none`],
    getOpenAPISpecVersionContentById: ['GET', `${path}/none/versions/none/content`],
    getLatestOpenAPISpecVersionContent: ['GET', `${path}/none/versions/latest/content`],
    getOpenAPISpecVersionContentRawById: ['GET', `${path}/none/versions/none/content/raw`],
    getLatestOpenAPISpecVersionContentRaw: ['GET', `${path}/none/versions/latest/content/raw`],
    listOpenAPISpecVersionChanges: ['GET', `${path}/none/versions/none/changes`],
  };
}
