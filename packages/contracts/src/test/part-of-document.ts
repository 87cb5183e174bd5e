import { openApiDocument } from '../openapi.js';
import type { Operation } from '../operation.js';

/** Of the OpenAPI document, the part that these operations make: paths and the schemas that they name. */
export function partOfDocument(operations: Readonly<Record<string, Operation>>): unknown {
  const document = openApiDocument(Object.values(operations), { serverUrl: 'https://docs.example', version: '1.0.0' });
  const { paths, components } = document;
  return { paths, components };
}
