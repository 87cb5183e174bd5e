import { Email, Moment } from '@scriptorium/contracts';
import { childrenOf, is, onlyChild } from './message.js';
import { refused, type Problem } from './refusals.js';

/** What an assertion must contain to be accepted. */
export interface Expected {
  /** Entity id of the provider. */
  issuer: string;
  audience: string;
  recipient: string;
  /** Id of the request that it answers. */
  request: string;
  /** Epoch ms. */
  now: number;
}

/** What an assertion says about a person. */
export interface Asserted {
  /** Id of the assertion. */
  id: string;
  /** The person's name at the provider: an e-mail address in lower case. */
  name: string;
  displayName: string;
  /** When the assertion becomes too old, epoch ms. */
  expiresAt: number;
}

/** How far the clocks of the provider and this service may differ. */
export const skewMs = 60_000;
/** How long an assertion is valid after it was issued, even if it says longer. */
const lifeMs = 10 * 60_000;

/** Checks the response around the assertion, which need not be signed. It must not contradict what is expected. */
export function checkResponse(response: Element, { issuer, recipient, request }: Expected): void {
  if (statusOf(response) !== 'urn:oasis:names:tc:SAML:2.0:status:Success') throw refused('status');
  if (response.getAttribute('Version') !== '2.0') throw refused('malformed');
  const [responseIssuer] = childrenOf(response).filter((one) => is(one, 'assertion', 'Issuer'));
  if (responseIssuer !== undefined && textOf(responseIssuer, 'issuer') !== issuer) throw refused('issuer');
  if (response.getAttribute('Destination') !== recipient) throw refused('destination');
  if (response.getAttribute('InResponseTo') !== request) throw refused('answer');
}

function statusOf(response: Element): string | null {
  return onlyChild(
    onlyChild(response, 'protocol', 'Status', 'malformed'),
    'protocol',
    'StatusCode',
    'malformed',
  ).getAttribute('Value');
}

/**
 * Reads and checks an assertion. `assertion`: read from the bytes that the signature covers.
 * @throws AppError `unauthenticated`
 */
export function readAssertion(assertion: Element, expected: Expected): Asserted {
  if (!is(assertion, 'assertion', 'Assertion') || assertion.getAttribute('Version') !== '2.0')
    throw refused('malformed');
  const id = assertion.getAttribute('ID') ?? '';
  if (id === '') throw refused('malformed');
  if (textOf(onlyChild(assertion, 'assertion', 'Issuer', 'issuer'), 'issuer') !== expected.issuer)
    throw refused('issuer');
  const issued = timeOf(assertion, 'IssueInstant') ?? NaN;
  if (!(issued <= expected.now + skewMs && expected.now < issued + lifeMs + skewMs)) throw refused('time');
  checkConditions(onlyChild(assertion, 'assertion', 'Conditions', 'audience'), expected);
  const subject = onlyChild(assertion, 'assertion', 'Subject', 'name');
  checkConfirmation(onlyChild(subject, 'assertion', 'SubjectConfirmation', 'recipient'), expected);
  const name = nameOf(subject);
  return { id, name, displayName: displayNameOf(assertion, name), expiresAt: issued + lifeMs + skewMs };
}

function checkConditions(conditions: Element, { audience, now }: Expected): void {
  checkTimes(conditions, now);
  const restrictions = childrenOf(conditions).filter((one) => is(one, 'assertion', 'AudienceRestriction'));
  const forUs = (restriction: Element): boolean =>
    childrenOf(restriction).some((one) => is(one, 'assertion', 'Audience') && textOf(one, 'audience') === audience);
  if (restrictions.length === 0 || !restrictions.every(forUs)) throw refused('audience');
}

function checkConfirmation(confirmation: Element, { recipient, request, now }: Expected): void {
  if (confirmation.getAttribute('Method') !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer') throw refused('recipient');
  const data = onlyChild(confirmation, 'assertion', 'SubjectConfirmationData', 'recipient');
  if (data.getAttribute('Recipient') !== recipient) throw refused('recipient');
  if (data.getAttribute('InResponseTo') !== request) throw refused('answer');
  if (timeOf(data, 'NotOnOrAfter') === undefined) throw refused('time');
  checkTimes(data, now);
}

function checkTimes(element: Element, now: number): void {
  const [from, until] = [timeOf(element, 'NotBefore'), timeOf(element, 'NotOnOrAfter')];
  if (from !== undefined && !(from <= now + skewMs)) throw refused('time');
  if (until !== undefined && !(now < until + skewMs)) throw refused('time');
}

/** The time in an attribute as epoch ms. `NaN`, for which every comparison is false, when it is no time in UTC. */
function timeOf(element: Element, name: string): number | undefined {
  if (!element.hasAttribute(name)) return undefined;
  const text = element.getAttribute(name) ?? '';
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && Moment.safeParse(text).success;
  return isTime ? Date.parse(text) : NaN;
}

function nameOf(subject: Element): string {
  const name = Email.safeParse(textOf(onlyChild(subject, 'assertion', 'NameID', 'name'), 'name'));
  if (!name.success) throw refused('name');
  return name.data.toLowerCase();
}

/** The text of an element that contains nothing but text. */
function textOf(element: Element, problem: Problem): string {
  if (Array.from(element.childNodes).some(({ nodeType }) => nodeType !== 3)) throw refused(problem);
  return (element.textContent ?? '').trim();
}

/**
 * The display name from the attributes `first_name` and `last_name`, otherwise the part of the address before the `@`.
 */
function displayNameOf(assertion: Element, name: string): string {
  const attributes = childrenOf(assertion)
    .filter((one) => is(one, 'assertion', 'AttributeStatement'))
    .flatMap(childrenOf);
  const valueOf = (wanted: string): string => {
    const [value] = attributes.filter((one) => one.getAttribute('Name') === wanted).flatMap(childrenOf);
    return (value?.textContent ?? '').replace(/\p{Cc}/gu, ' ').trim();
  };
  const given = `${valueOf('first_name')} ${valueOf('last_name')}`.trim();
  return (given === '' ? name.slice(0, name.indexOf('@')) : given).slice(0, 64).toWellFormed();
}
