import { userTokens, type Relation, type TokenKind } from '../kernel/access.js';
import type { Operation } from '../kernel/operation.js';
import type { RateClass } from '../kernel/operation-traits.js';

/** Says in sentences who may call an operation, with what, and what requests of it can do besides their input. */
export function describeOperation(op: Operation): string {
  return [...accessOf(op), ...abilitiesOf(op)].join(' ');
}

const relationNames: Readonly<Partial<Record<Relation, string>>> = {
  anyone: 'everybody who has a token',
  self: 'the person whose it is',
  operator: 'operators of the installation',
  guest: 'members of the organization, guests included',
  team_owner: 'owners of the team',
  team_member: 'members of the team',
  organization_admin: 'admins of the organization',
  installation: 'installations of integrations that reach it',
  integration: 'the integration',
};

const tokenNames: Readonly<Record<TokenKind, string>> = {
  personal: 'personal tokens',
  oauth: 'OAuth tokens',
  session: 'sessions of browsers',
  integration: 'tokens of integrations',
  installation: 'tokens of installations',
  content: 'tokens of visitors',
  scim: 'SCIM tokens',
};

function accessOf({ access }: Operation): string[] {
  const { tokens, allow, resource, scope, integrationScope } = access;
  if (tokens.length === 0) return ['Needs no token.'];
  const who = allow.map((relation) => relationNames[relation] ?? withRole(relation, resource));
  const isLimitable = tokens.some((kind) => kind === 'personal' || kind === 'oauth');
  return [
    `For ${list(who, 'or')}.`,
    ...(tokens.join() === userTokens.join()
      ? []
      : [
          `Takes ${list(
            tokens.map((kind) => tokenNames[kind]),
            'and',
          )}.`,
        ]),
    ...(isLimitable
      ? [scope === undefined ? 'A token that is limited to scopes is refused.' : `Scope: \`${scope}\`.`]
      : []),
    ...(integrationScope === undefined ? [] : [`Installations need \`${integrationScope}\`.`]),
  ];
}

/** Roles are those of members. On what belongs to an organization people have levels of the same names. */
function withRole(role: string, resource: string): string {
  if (resource !== 'organization') return `people with at least \`${role}\``;
  return role === 'admin' ? 'admins of the organization' : `members with at least the role \`${role}\``;
}

const rateNames: Readonly<Record<RateClass, string | undefined>> = {
  ordinary: undefined,
  search: 'searches',
  'content-write': 'changes of the content of one space',
  'spec-write': 'changes of one specification',
  pdf: 'addresses of PDFs',
};

function abilitiesOf(op: Operation): string[] {
  const { dryRun, stream, history, waitsSeconds, secret, batch, rate } = op;
  const rated = rateNames[rate];
  const sentences: (string | false)[] = [
    dryRun && '`dryRun` shows what it would do.',
    stream !== undefined && 'With `Accept: text/event-stream` it also sends what comes later.',
    stream?.lines === true && 'With `Accept: application/x-ndjson` it sends one item a line.',
    history !== undefined && '`asOf` shows how it was.',
    waitsSeconds > 0 && `\`Prefer: wait\` waits up to ${waitsSeconds} s for work in the background.`,
    secret.length > 0 && `A repeated request does not get ${list(secret.map(code), 'and')} again.`,
    batch !== undefined && `Many at once: ${batch}.`,
    rated !== undefined && `A rate limit of its own counts ${rated}.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function code(name: string): string {
  return `\`${name}\``;
}

function list(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
