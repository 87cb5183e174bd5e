/** A resource in SCIM's form, or a part of one. Its names are those of an attribute table, never those of a caller. */
export type Fields = Record<string, unknown>;

/** A part of a complex attribute. */
export interface Part {
  name: string;
  kind: 'text' | 'truth' | 'reference';
  description: string;
  required?: true;
  /** The values that it has here; others are taken and not kept. */
  values?: readonly string[];
  /** Whether it stays as it was when the resource, or the value of a list, was made. */
  immutable?: true;
}

/** An attribute that is kept. `list`: several complex values. */
export interface Attribute {
  name: string;
  kind: 'text' | 'truth' | 'object' | 'list';
  description: string;
  parts?: readonly Part[];
  required?: true;
  immutable?: true;
  /** Whether no two resources of an organization have the same value. */
  unique?: true;
}

/** A kind of resource. */
export interface ResourceKind {
  name: 'User' | 'Group';
  /** The path below the base URL. */
  endpoint: '/Users' | '/Groups';
  schema: string;
  attributes: readonly Attribute[];
}

const externalId: Attribute = {
  name: 'externalId',
  kind: 'text',
  description: 'The id that the identity provider has for it.',
};

export const userKind: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  attributes: [
    externalId,
    {
      name: 'userName',
      kind: 'text',
      description: 'The name at the identity provider, compared without regard to case.',
      required: true,
      unique: true,
    },
    {
      name: 'name',
      kind: 'object',
      description: 'The parts of the name.',
      parts: [
        { name: 'formatted', kind: 'text', description: 'The whole name.' },
        { name: 'givenName', kind: 'text', description: 'The given name.' },
        { name: 'familyName', kind: 'text', description: 'The family name.' },
      ],
    },
    { name: 'displayName', kind: 'text', description: 'The name that others see.' },
    { name: 'active', kind: 'truth', description: 'Whether the user is a member of the organization.' },
    {
      name: 'emails',
      kind: 'list',
      description: 'The address of the account. A `userName` that is an address does for it.',
      required: true,
      immutable: true,
      parts: [
        { name: 'value', kind: 'text', description: 'The address.', required: true },
        { name: 'type', kind: 'text', description: 'What the address is for.' },
        { name: 'primary', kind: 'truth', description: 'Whether it is the first address.' },
      ],
    },
  ],
};

export const groupKind: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  attributes: [
    externalId,
    { name: 'displayName', kind: 'text', description: 'The title of the team.', required: true },
    {
      name: 'members',
      kind: 'list',
      description: 'The members of the team.',
      parts: [
        { name: 'value', kind: 'text', description: 'The id of a user.', required: true, immutable: true },
        { name: 'type', kind: 'text', description: 'Always `User`.', values: ['User'], immutable: true },
        { name: '$ref', kind: 'reference', description: 'The URL of the user.', immutable: true },
      ],
    },
  ],
};

/** The attribute of a name, which is compared without regard to case. */
export function attributeOf({ attributes }: ResourceKind, name: string): Attribute | undefined {
  return attributes.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase());
}

/** The part of a name of an attribute, compared without regard to case. */
export function partOf({ parts = [] }: Attribute, name: string): Part | undefined {
  return parts.find((part) => part.name.toLowerCase() === name.toLowerCase());
}

/** A name without the schema before it; undefined for an attribute of another schema. */
export function withoutSchema({ schema }: ResourceKind, name: string): string | undefined {
  if (name.toLowerCase().startsWith(`${schema.toLowerCase()}:`)) return name.slice(schema.length + 1);
  return /^urn:/i.test(name) ? undefined : name;
}
