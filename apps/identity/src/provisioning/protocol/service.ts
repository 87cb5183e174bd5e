import { mostResources } from './answers.js';
import { groupKind, userKind, type Attribute, type Fields, type Part, type ResourceKind } from './resource.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const kinds = [userKind, groupKind];

/** What the service can do (RFC 7643, section 5). `base`: its URL. */
export function serviceProviderConfig(base: string): Fields {
  return {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostResources },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token of the organization, sent as `Authorization: Bearer`.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(base: string): Fields[] {
  return kinds.map(({ name, endpoint, schema }) => ({
    schemas: [`${core}:ResourceType`],
    id: name,
    name,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));
}

/** The attributes of each kind (RFC 7643, section 7). */
export function schemas(base: string): Fields[] {
  return kinds.map((kind) => ({
    schemas: [`${core}:Schema`],
    id: kind.schema,
    name: kind.name,
    attributes: kind.attributes.map(describeAttribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${kind.schema}` },
  }));
}

function describeAttribute(attribute: Attribute): Fields {
  const { kind, parts, required = false, unique = false } = attribute;
  return {
    ...common(attribute),
    type: kind === 'truth' ? 'boolean' : parts === undefined ? 'string' : 'complex',
    multiValued: kind === 'list',
    required,
    uniqueness: unique ? 'server' : 'none',
    ...(parts === undefined ? {} : { subAttributes: parts.map(describePart) }),
  };
}

const partTypes = { text: 'string', truth: 'boolean', reference: 'reference' } as const;

function describePart(part: Part): Fields {
  return {
    ...common(part),
    type: partTypes[part.kind],
    ...(part.values === undefined ? {} : { canonicalValues: part.values }),
    ...(part.kind === 'reference' ? { referenceTypes: [userKind.name] } : {}),
    multiValued: false,
    required: part.required ?? false,
    uniqueness: 'none',
  };
}

function common({ name, description, immutable }: Attribute | Part): Fields {
  const caseExact = name === 'externalId' || name === '$ref';
  const mutability = immutable === true ? 'immutable' : 'readWrite';
  return { name, description, mutability, returned: 'default', caseExact };
}

/** The part of a resource that every kind has. */
export function frameOf(
  { name, endpoint, schema }: ResourceKind,
  base: string,
  { id, created, lastModified }: { id: string; created: string; lastModified: string },
): Fields {
  const meta = { resourceType: name, created, lastModified, location: `${base}${endpoint}/${id}` };
  return { schemas: [schema], id, meta };
}
