import {
  memberRoles,
  refuseToken,
  type Access,
  type CommonPrincipal,
  type MemberRole,
  type Relation,
} from './access.js';
import { AppError, blaming } from './errors.js';

/** The thing on which a level is held, by the kind of resource; others hold it on the organization. */
const heldOn: Readonly<Record<string, string>> = {
  address: 'space',
  change_request: 'space',
  comment: 'space',
  comment_reply: 'space',
  collection: 'collection',
  collection_grant: 'collection',
  requested_reviewer: 'space',
  integration_site: 'site',
  integration_space: 'space',
  recoverable_change_request: 'space',
  recoverable_comment: 'space',
  recoverable_comment_reply: 'space',
  recoverable_review: 'space',
  recoverable_space: 'space',
  site: 'site',
  site_part: 'site',
  space: 'space',
  space_grant: 'space',
  transferred_collection: 'collection',
  transferred_space: 'space',
};

const authored = /comment|reply|review|change_request/;

/** The message for a caller who may see a resource and has none of the relations that an operation allows. */
export function forbiddenMessage({ resource, allow }: Pick<Access, 'resource' | 'allow'>): string | undefined {
  if (allow.length === 0) return undefined;
  const people = allow.filter((relation) => relation !== 'installation' && relation !== 'integration');
  const asked = people.length === 0 ? allow : people;
  return `You must ${listed([...new Set(asked.map((relation) => clauseOf(relation, resource)))])}`;
}

function clauseOf(relation: Relation, resource: string): string {
  const thing = heldOn[resource] ?? 'organization';
  switch (relation) {
    case 'anyone':
      return 'be signed in';
    case 'self':
      return authored.test(resource) ? 'be its author' : 'be the user whom it is about';
    case 'operator':
      return 'be an operator of the installation';
    case 'guest':
      return 'be a member or guest of the organization';
    case 'team_owner':
      return 'own the team';
    case 'team_member':
      return 'be a member of the team';
    case 'installation':
      return 'be an installation that reaches it';
    case 'integration':
      return 'be the integration itself';
    case 'organization_admin':
      return 'be an admin of the organization';
    default:
      return levelClause(relation, thing);
  }
}

function levelClause(level: MemberRole, thing: string): string {
  return `have the level \`${level}\`${level === memberRoles.at(-1) ? '' : ' or a higher one'} on the ${thing}`;
}

/**
 * The refusal for a caller who may see something and lacks a level on it. `thing`: what the level is held on. `field`:
 * what names it in the request.
 */
export function lacksLevel(level: MemberRole, thing: string, field?: string): AppError {
  const message = `You must ${levelClause(level, thing)}`;
  return field === undefined ? new AppError('forbidden', [], { message }) : blaming('forbidden', field, message);
}

/** The message for a caller whose token an operation does not take; undefined if it takes the token. */
export function tokenMessage(access: Access, principal: Pick<CommonPrincipal, 'token'>): string | undefined {
  if (refuseToken(access, principal) === null) return undefined;
  const { kind } = principal.token;
  if (!access.tokens.includes(kind))
    return `A token of the kind ${kind} cannot be used for this; it takes ${listed(access.tokens)}`;
  if (kind === 'installation')
    return `The installation must be active, and have been granted the scope \`${access.integrationScope}\``;
  return access.scope === undefined
    ? 'A token that is limited to scopes cannot be used for this'
    : `The token must have the scope \`${access.scope}\``;
}

/**
 * The message for a path that leads to nothing that the caller may see: the kind of its last parameter. It is the same
 * whether that or something above it is missing or hidden.
 */
export function notFoundMessage(path: string): string | undefined {
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  return name === undefined ? undefined : `There is no such ${kindOf(name)} here, or you may not see it`;
}

/** The words of a parameter's name: `siteSectionId` is a `site section`. */
function kindOf(name: string): string {
  const words = name.replace(/(Id|Path)$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.toLowerCase().replace(/\b(saml|scim)\b/, (name) => name.toUpperCase());
}

function listed(alternatives: readonly string[]): string {
  const last = alternatives.at(-1) ?? '';
  return alternatives.length < 2 ? last : `${alternatives.slice(0, -1).join(', ')} or ${last}`;
}
