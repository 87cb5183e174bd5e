import type { Data } from '@scriptorium/rich-text';
import { members, type CompleteOperation } from '@scriptorium/openapi/shown';
import { isObject, textIn } from '@scriptorium/rich-text/reading';
import type { SchemaSource } from '../render-context.js';

/** What a block shows, as far as there is something. */
export interface Given {
  source: SchemaSource;
  operation: CompleteOperation | undefined;
  isTruncated: boolean;
}

/** What the API says that a block shows; `undefined` when that is missing. */
export function givenIn(data: Data): Given | undefined {
  const { resolved } = data;
  if (!isObject(resolved)) return undefined;
  return {
    source: {
      spec: `${textIn(resolved, 'spec')} ${textIn(resolved, 'version')}`,
      schemas: members(resolved['schemas']),
    },
    operation: isObject(resolved['operation']) ? operationIn(data, resolved['operation']) : undefined,
    isTruncated: resolved['truncated'] === true,
  };
}

function operationIn(data: Data, given: Data): CompleteOperation {
  const { servers } = given;
  return {
    method: textIn(given, 'method') || textIn(data, 'method'),
    path: textIn(given, 'path') || textIn(data, 'path') || textIn(data, 'name'),
    operation: members(given['operation']),
    servers: Array.isArray(servers) ? servers : [],
    securitySchemes: members(given['securitySchemes']),
  };
}
