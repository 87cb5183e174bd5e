import { samlBounds } from '@scriptorium/contracts';
import { DOMParser } from '@xmldom/xmldom';
import { refused, type Problem } from './refusals.js';

/** A message of a provider with the only accepted structure. Its signature is not verified yet. */
export interface Message {
  /** The XML as base64. The signature is verified over the same bytes that were checked here. */
  encoded: string;
  response: Element;
}

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

/**
 * Limits that keep the time to read a message proportional to its size. Parsers compare all attributes of an element
 * with each other.
 */
const bounds = { elements: 4_000, quotes: 10_000, quotesPerElement: 100, depth: 40 } as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a message. Everything that parsers could read differently is refused first: comments, document types, CDATA,
 * processing instructions, a second assertion, and a signature in another place or over another element than its
 * parent.
 * @throws AppError `unauthenticated`
 */
export function readMessage(base64: string): Message {
  const xml = textOf(base64);
  checkMarkup(xml);
  const response = parseXml(xml);
  const elements = elementsOf(response);
  checkShape(response, elements);
  for (const signature of elements.filter((one) => is(one, 'signature', 'Signature'))) checkSignature(signature);
  return { encoded: Buffer.from(xml).toString('base64'), response };
}

function textOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > samlBounds.xml) throw refused('malformed');
  try {
    return utf8.decode(bytes);
  } catch {
    throw refused('malformed');
  }
}

const declaration = /^\s*<\?xml\s[^<>?]*\?>/;

function checkMarkup(xml: string): void {
  const content = xml.replace(declaration, '');
  // Text around the root is not XML, but parsers ignore it.
  if (/<[!?]/.test(content) || !/^[ \t\r\n]*</.test(content) || !/>[ \t\r\n]*$/.test(content))
    throw refused('malformed');
  const parts = content.split('<');
  const quotes = parts.map((part) => part.match(/["']/g)?.length ?? 0);
  const hasTooManyQuotes =
    quotes.some((count) => count > bounds.quotesPerElement) ||
    quotes.reduce((sum, count) => sum + count, 0) > bounds.quotes;
  if (parts.length > bounds.elements * 2 || hasTooManyQuotes) throw refused('malformed');
}

/**
 * The root element of a document.
 * @throws AppError `unauthenticated` when it is not well-formed, even if the parser would accept it
 */
export function parseXml(xml: string): Element {
  const fail = (): never => {
    throw refused('malformed');
  };
  const document = new DOMParser({
    locator: {},
    errorHandler: { warning: fail, error: fail, fatalError: fail },
  }).parseFromString(xml, 'text/xml') as Document | undefined;
  return document?.documentElement ?? fail();
}

/** All elements of `root`, in document order. */
function elementsOf(root: Element): Element[] {
  const found: Element[] = [];
  const waiting: { element: Element; depth: number }[] = [{ element: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { element, depth } = next;
    if (depth > bounds.depth) throw refused('malformed');
    found.push(element);
    waiting.push(
      ...childrenOf(element)
        .reverse()
        .map((child) => ({ element: child, depth: depth + 1 })),
    );
  }
  return found;
}

export function childrenOf(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);
}

export function is(element: Element, space: keyof typeof namespaces, name: string): boolean {
  return element.localName === name && element.namespaceURI === namespaces[space];
}

/**
 * The only child with a name.
 * @throws AppError `unauthenticated` with the problem when there is none, or more than one
 */
export function onlyChild(parent: Element, space: keyof typeof namespaces, name: string, problem: Problem): Element {
  const [child, ...more] = childrenOf(parent).filter((one) => is(one, space, name));
  if (child === undefined || more.length > 0) throw refused(problem);
  return child;
}

/** Attributes that parsers take for the id of an element. */
const idNames = new Set(['id', 'xml:id']);

function checkShape(response: Element, elements: readonly Element[]): void {
  const named = (name: string): Element[] => elements.filter(({ localName }) => localName === name);
  const assertions = named('Assertion');
  const [assertion] = assertions;
  const signatures = named('Signature');
  const holders = signatures.map(({ parentNode }) => parentNode);
  const ids = elements.flatMap(({ attributes }) =>
    Array.from(attributes)
      .filter(({ name }) => idNames.has(name.toLowerCase()))
      .map(({ value }) => value),
  );
  const isValid =
    is(response, 'protocol', 'Response') &&
    named('Response').length === 1 &&
    named('EncryptedAssertion').length === 0 &&
    (assertion === undefined || (is(assertion, 'assertion', 'Assertion') && assertion.parentNode === response)) &&
    assertions.length <= 1 &&
    signatures.every((one) => is(one, 'signature', 'Signature')) &&
    holders.every((holder) => holder === response || holder === assertion) &&
    new Set(holders).size === holders.length &&
    new Set(ids).size === ids.length;
  if (!isValid) throw refused('shape');
  if (assertion === undefined) throw refused('status');
}

const signatureParts = new Set(['SignedInfo', 'SignatureValue', 'KeyInfo']);
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const allowedAlgorithms = {
  CanonicalizationMethod: new Set([exclusive]),
  SignatureMethod: new Set([
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ]),
  DigestMethod: new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']),
  Transform: new Set(['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive]),
} as const;

/** Checks that a signature covers its parent element, uses accepted algorithms, and contains nothing else. */
function checkSignature(signature: Element): void {
  if (childrenOf(signature).some(({ localName }) => !signatureParts.has(localName))) throw refused('shape');
  const signedInfo = onlyChild(signature, 'signature', 'SignedInfo', 'shape');
  const reference = onlyChild(signedInfo, 'signature', 'Reference', 'shape');
  const id = (signature.parentNode as Element).getAttribute('ID');
  if (id === null || id === '' || reference.getAttribute('URI') !== `#${id}`) throw refused('shape');
  for (const element of elementsOf(signedInfo)) {
    const algorithms: ReadonlySet<string> | undefined =
      allowedAlgorithms[element.localName as keyof typeof allowedAlgorithms];
    if (algorithms?.has(element.getAttribute('Algorithm') ?? '') === false) throw refused('algorithm');
  }
}
