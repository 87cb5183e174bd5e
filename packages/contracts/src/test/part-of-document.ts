import { openApiDocument } from '../openapi/openapi.js';
import type { Operation } from '../kernel/operation.js';

/** The part of the OpenAPI document about these operations: their paths and the schemas that these refer to. */
export function partOfDocument(operations: Readonly<Record<string, Operation>>): unknown {
  const document = openApiDocument(Object.values(operations), { serverUrl: 'https://docs.example', version: '1.0.0' });
  const { paths, components } = document;
  return { paths, components };
}
