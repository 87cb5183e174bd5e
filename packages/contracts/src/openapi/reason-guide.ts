import type { Reason } from '../kernel/errors.js';
import { integrationReasons } from './integration-reasons.js';

/** The explanation of a reason for people. Each text has one or two plain sentences. */
export interface ReasonGuide {
  meaning: string;
  when: string;
  /** What to do. */
  next: string;
}

const asFieldsSay =
  'Read `details`: it names every failing field and what it must be. Mend them and send the request again; as it stands it will always be refused.';

/** The explanation of each reason, for the documentation and for the gateway's error pages. */
export const reasonGuide: Readonly<Record<Reason, ReasonGuide>> = {
  ...integrationReasons,
  invalid_request: {
    meaning: 'The request is not what the operation takes.',
    when: 'A parameter, a header or a field of the body is missing, of another type, too long or not one of the allowed values; the body is not JSON; with `Prefer: handling=strict`, there is a field or parameter that nothing reads; the URL is longer than 2,048 characters; or the bytes are no HTTP that can be read in one way only.',
    next: asFieldsSay,
  },
  position_invalid: {
    meaning: 'The place that something was to be moved to does not exist.',
    when: 'A move names a space or collection to stand before or after that is not in the target.',
    next: 'List what the target holds and name one of its entries, or leave the position out.',
  },
  default_content_invalid: {
    meaning: 'The default content of an organization is no space or collection of it.',
    when: '`defaultContent` names something that does not exist or that belongs to another organization.',
    next: 'Name a space or collection of this organization, or send `null` to have none.',
  },
  email_domain_not_allowed: {
    meaning: 'The e-mail address is of a domain that the organization does not admit.',
    when: 'Somebody joins by domain and the organization has not listed the domain of their address.',
    next: 'Ask an admin of the organization for an invitation, or to list the domain.',
  },
  adaptive_schema_invalid: {
    meaning: 'The schema for adaptive content cannot be used.',
    when: 'It is no JSON schema of the allowed subset.',
    next: asFieldsSay,
  },
  condition_invalid: {
    meaning: 'A condition does not compile, or its result would depend on more than its input.',
    when: 'An expression has a syntax error, names an unknown variable, or is not deterministic where it has to be.',
    next: 'Mend the expression at the place that `details` names.',
  },
  unauthenticated: {
    meaning: 'Nobody knows who makes the request.',
    when: 'The token is missing, malformed, expired or revoked, or the session has ended. The same answer is given to all of these.',
    next: 'Send `Authorization: Bearer <token>` with a token that is good; make a new one or sign in again.',
  },
  visitor_auth_required: {
    meaning: 'The site is for visitors who have signed in, and says nowhere how they do.',
    when: 'A published address is asked for without a token of the visitor, or with one that has ended or is signed with another key, and the site has no `fallbackURL`.',
    next: 'Send a token of the visitor as `visitor.jwtToken`, signed with the key of the site; or give the site a `fallbackURL`.',
  },
  forbidden: {
    meaning: 'The caller may see the object, but not do this.',
    when: 'Their role or the kind or scope of their token does not allow the operation, a session of one organization is used beyond it, or a session is used by a page of another address.',
    next: 'The message names the level, scope or kind of token that is missing. Ask somebody whose role allows it, or use a token with the scope that the operation names in the OpenAPI document.',
  },
  sso_required: {
    meaning: 'The organization is open to those alone who signed in by its single sign-on.',
    when: 'The organization enforces single sign-on and the caller signed in otherwise.',
    next: 'Sign in by the provider of the organization, which `GET /v1/sso` finds by the e-mail address.',
  },
  space_locked: {
    meaning: 'The space is locked: its content changes by merged change requests alone.',
    when: 'Content of a locked space is edited directly.',
    next: 'Open a change request, or have the lock taken off.',
  },
  space_read_only: {
    meaning: 'The content of the space is made from elsewhere and cannot be edited.',
    when: 'The space is the result of a translation.',
    next: 'Edit the space that it is translated from.',
  },
  not_found: {
    meaning: 'There is nothing here that the caller may see.',
    when: 'The object does not exist, was deleted, or is invisible to the caller: these look the same. Paths that no operation has are answered so too.',
    next: 'The message names the kind of the last thing in the path. Check the identifiers in the path, and that the token is one of somebody who may see the object.',
  },
  organization_not_found: {
    meaning: 'The organization that the request names does not exist.',
    when: 'Somebody joins, or an integration is published to, an organization by an identifier or host name that nobody has.',
    next: 'Check the identifier. `GET /v1/orgs` lists the organizations of the caller.',
  },
  adaptive_schema_missing: {
    meaning: 'The site has no schema for adaptive content.',
    when: 'The schema is read before one was set.',
    next: 'Set one before it is read.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    when: 'For example a POST to a path that is only read.',
    next: 'Use one of the methods that the `Allow` header of the answer lists.',
  },
  request_timeout: {
    meaning: 'The request did not arrive in time.',
    when: 'Headers or body came too slowly or stopped. Nothing was done.',
    next: 'Send it again, on a new connection: this one is closed.',
  },
  already_exists: {
    meaning: 'Something that has to be unique is taken.',
    when: 'A host name, subdomain, path, address or name is used by another object, perhaps by one that the caller cannot see.',
    next: 'Choose another where `details` names a field. Who signs in by single sign-on with an address that has an account signs in to that account first, or asks an admin.',
  },
  ai_disabled: {
    meaning: 'The organization has switched artificial intelligence off.',
    when: 'An operation needs it.',
    next: 'Have an admin switch it on.',
  },
  change_request_merged: {
    meaning: 'The change request has been merged, so its content stays as it is.',
    when: 'A request changes the content of a merged change request.',
    next: 'Create another change request for what is still to be changed.',
  },
  conflict: {
    meaning: 'Others changed the same object at the same time, more than once.',
    when: 'Several attempts met a change by somebody else. Nothing was done.',
    next: 'Send the request again after the seconds that `Retry-After` says.',
  },
  idempotency_in_progress: {
    meaning: 'A request with the same `Idempotency-Key` is still being worked on.',
    when: 'A request was repeated before the first one was answered, and the answer did not come in time.',
    next: 'Send the same request with the same key again after the seconds that `Retry-After` says: it gets the first answer.',
  },
  import_empty: {
    meaning: 'What is imported has no pages, so the content that it would replace stays.',
    when: 'An import with `mode: replace` has no page that can be taken over: no markdown, or nothing but drafts.',
    next: 'Look whether it is the right folder. `allowEmpty` lets the import empty the space.',
  },
  last_admin: {
    meaning: 'The organization would have no admin left, or the installation no operator.',
    when: 'The last admin leaves, is removed, disabled, erased or given another role, or the last operator goes.',
    next:
      'Make somebody else an admin or operator first, or delete the organization. An admin whom an invitation added counts ' +
      'once they have changed something in the organization.',
  },
  limit_reached: {
    meaning: 'There are as many as there may be.',
    when: 'Adding one more would exceed a limit of this installation. `details` names the limit and its number.',
    next: 'Remove some, or ask those who run the installation to raise the limit.',
  },
  no_change: {
    meaning: 'Nothing would change.',
    when: 'Something is moved to where it is, or restored that was not deleted.',
    next: 'Nothing has to be done.',
  },
  sso_in_use: {
    meaning: 'The provider is needed.',
    when: 'The last active provider of an organization that enforces single sign-on is to lose a setting that signing in needs; `details` names it.',
    next: 'Stop enforcing single sign-on first, or set another provider up.',
  },
  sso_unavailable: {
    meaning: 'There is no provider that anybody could sign in by.',
    when: 'Single sign-on is to be enforced without an active provider, or somebody signs in by a provider that is not complete or not there any more.',
    next: 'Have an admin complete a provider first, or sign in another way.',
  },
  cannot_move: {
    meaning: 'This cannot be moved there.',
    when: 'A space or collection is in a state that does not allow the transfer.',
    next: 'The message says what stands against it.',
  },
  merge_rules_failed: {
    meaning: 'The rules of the space do not allow the merge yet.',
    when: 'A review or check that the rules ask for is missing. `details` lists the rules.',
    next: 'Satisfy them and merge again.',
  },
  precondition_failed: {
    meaning: 'The object is not as `If-Match` says.',
    when: 'Somebody changed it since the entity tag was read. Nothing was done.',
    next: 'Read it again, decide whether the change still makes sense, and send it with the new `ETag`.',
  },
  too_large: {
    meaning: 'The body of the request, or something in it, is too large.',
    when: 'It has more bytes than the operation takes, as it arrives or once its `Content-Encoding` is undone, or becomes more than 100 times what arrived; or a document or file in it has more bytes than one may have, as `details` says.',
    next: 'Send less at a time.',
  },
  unsupported_media_type: {
    meaning: 'The body is of a kind that the operation does not read.',
    when: '`Content-Type` is not the one of the operation in UTF-8, `application/json` for nearly all and `application/x-www-form-urlencoded` for forms of browsers, or `Content-Encoding` is not one of `gzip`, `br`, `deflate` and `identity`.',
    next: 'Send what the OpenAPI document says that the operation takes, and say so.',
  },
  misdirected: {
    meaning: 'The request was sent to a name under which this installation is not known.',
    when: 'The `Host` is neither that of the public address nor one that the installation was told to answer under.',
    next: 'Use the public address. Those who run the installation can add names with `ALLOWED_HOSTS`.',
  },
  content_change_invalid: {
    meaning: 'The changes of content make no sense together.',
    when: 'One of them names a page that does not exist, makes a circle, or holds a document that is not well-formed. None was applied.',
    next: 'Mend the change that `details` names by its place.',
  },
  field_not_taken: {
    meaning: 'A field of the body limits who sees or may do something, and the operation does not take it.',
    when: 'The body has a field such as `condition`, `visibility`, `disabled`, `role` or `expiresAt` where nothing reads it. Other fields that nothing reads are named in a header; without such a one, more people would have access than was asked for. Nothing was changed.',
    next: 'Leave the field out, or send it to the operation that takes it.',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` belongs to another request.',
    when: 'The key was used within 24 hours for another operation or another input.',
    next: 'Use a new key for each thing that is to be done, and the same key only for the very same request.',
  },
  gone: {
    meaning: 'The object is known, but its content is not kept any more.',
    when: 'It is the content of a version that so many newer ones have followed that it was removed.',
    next: 'Ask for a newer version. A repetition is always refused.',
  },
  history_too_long: {
    meaning: 'Too much has happened to show the object as it was.',
    when: 'More events would have to be read than one request may.',
    next: 'Ask for an earlier time, or read the audit events.',
  },
  rate_limited: {
    meaning: 'There were too many requests.',
    when: 'The token, or without one the address, has used up its requests of this minute; sign-in has limits of its own. Or the token has as many streams open as it may.',
    next: 'Wait for the seconds that `Retry-After` says. The message names the limit and its setting, and how one request does the work of many where there is such a form. The `X-RateLimit-*` headers of every answer tell how many are left.',
  },
  headers_too_large: {
    meaning: 'The headers of the request are too large.',
    when: 'Together they have more than 16 KiB.',
    next: 'Send fewer or shorter ones; cookies of other pages of the same host are the usual cause.',
  },
  unexpected: {
    meaning: 'Something went wrong that nobody foresaw.',
    when: 'The installation has a defect or met a state that it does not know.',
    next: 'Send it again with the same `Idempotency-Key`. If it lasts, give those who run the installation the `requestId`: the log has it.',
  },
  bad_gateway: {
    meaning: 'Somebody whom the installation asked answered with nonsense.',
    when: 'An identity provider or another service elsewhere gave an answer that cannot be used.',
    next: 'Try again later; then look at the settings of that service.',
  },
  unavailable: {
    meaning: 'The installation cannot answer now.',
    when: 'A service or store is starting, stopping or overloaded, or did not answer in time. A change may have happened or not.',
    next: 'Try again after the seconds that `Retry-After` says, changes with an `Idempotency-Key`: then they happen once.',
  },
};
