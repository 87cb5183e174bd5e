import { describe, expect, it } from '@jest/globals';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { newProviderKey } from '../../test/certificates.js';
import { respond, type AnswerContent } from '../../test/identity-provider.js';
import { readMessage } from './message.js';
import { addressesOf } from '../../organization-read-models/saml-addresses.js';
import { metadataOf, verifySignature, type SignedParts } from './service-provider.js';

/*
 * Signature wrapping: a signed message is rebuilt so that the signature of the original part is verified, but a forged
 * part is used. These are the eight shapes of Somorovsky et al., "On Breaking SAML".
 */
const key = newProviderKey();
const settings = {
  label: '',
  entityID: 'https://idp.example',
  ssoURL: 'https://idp.example/sso',
  certificate: key.certificate,
  certificateValid: true,
  defaultTeam: null,
  defaultRole: null,
};
const addresses = addressesOf({ urls: { api: 'https://docs.example/v1' } }, 'p1');
const asked = { settings, key, metadata: await metadataOf(addresses, 'p1'), request: '_request' };

interface Parts {
  document: Document;
  response: Element;
  assertion: Element;
  /** The signature of the response or of the assertion. */
  signature: (of: Element) => Element;
  /** An unsigned copy with another id that names another person. */
  evil: (of: Element) => Element;
}

function partsOf(xml: string): Parts {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const child = (of: Element, name: string): Element =>
    Array.from(of.childNodes).find((node) => (node as Element).localName === name) as Element;
  const signature = (of: Element): Element => child(of, 'Signature');
  const evil = (of: Element): Element => {
    const copy = of.cloneNode(true) as Element;
    for (const one of Array.from(copy.getElementsByTagName('ds:Signature'))) one.parentNode?.removeChild(one);
    for (const one of [copy, ...Array.from(copy.getElementsByTagName('saml:Assertion'))])
      one.setAttribute('ID', `_evil${one.localName}`);
    const [name] = Array.from(copy.getElementsByTagName('saml:NameID'));
    if (name !== undefined) name.textContent = 'admin@example.org';
    return copy;
  };
  return {
    document,
    response: document.documentElement,
    assertion: child(document.documentElement, 'Assertion'),
    signature,
    evil,
  };
}

type Shape = (parts: Parts) => void;

/** Replaces the signed response by a forged one around it. */
function aroundResponse(place: (evil: Element, signature: Element, original: Element) => void): Shape {
  return ({ document, response, signature, evil }) => {
    const [outer, own] = [evil(response), signature(response)];
    response.removeChild(own);
    outer.appendChild(own);
    document.replaceChild(outer, response);
    place(outer, own, response);
  };
}

/** Gives the signature of the original assertion to a forged one, and moves the original. */
function withSignature(place: (parts: Parts, evil: Element, signature: Element) => void): Shape {
  return (parts) => {
    const { response, assertion, signature, evil } = parts;
    const [outer, own] = [evil(assertion), signature(assertion)];
    assertion.removeChild(own);
    outer.appendChild(own);
    response.replaceChild(outer, assertion);
    place(parts, outer, own);
  };
}

const shapes: Record<string, Shape> = {
  XSW1: aroundResponse((_outer, signature, original) => void signature.appendChild(original)),
  XSW2: aroundResponse((outer, signature, original) => void outer.insertBefore(original, signature)),
  XSW3: ({ response, assertion, evil }) => void response.insertBefore(evil(assertion), assertion),
  XSW4: ({ response, assertion, evil }) => {
    const outer = evil(assertion);
    response.replaceChild(outer, assertion);
    outer.appendChild(assertion);
  },
  XSW5: withSignature(({ response, assertion }) => void response.appendChild(assertion)),
  XSW6: withSignature(({ assertion }, _outer, signature) => void signature.appendChild(assertion)),
  XSW7: ({ document, response, assertion, evil }) => {
    const extensions = document.createElementNS('urn:oasis:names:tc:SAML:2.0:protocol', 'samlp:Extensions');
    extensions.appendChild(evil(assertion));
    response.insertBefore(extensions, assertion);
  },
  XSW8: withSignature(({ document, assertion }, _outer, signature) => {
    const object = document.createElementNS('http://www.w3.org/2000/09/xmldsig#', 'ds:Object');
    object.appendChild(assertion);
    signature.appendChild(object);
  }),
};

const take = async (says: AnswerContent, signed: SignedParts): Promise<string | null> => {
  const { SAMLResponse } = await respond(asked, says);
  const assertion = await verifySignature(readMessage(SAMLResponse), settings, addresses, signed);
  return assertion.getElementsByTagName('saml:NameID')[0]?.textContent ?? null;
};

const modes = ['both', 'assertion', 'response'] as const;
const cases = Object.keys(shapes).flatMap((name) => modes.map((mode) => [name, mode] as const));

describe('a signature wrapping attack', () => {
  it.each(cases)('of shape %s is refused when %s has to be signed', async (name, mode) => {
    const changed: string[] = [];
    const after = (xml: string): string => {
      const parts = partsOf(xml);
      shapes[name]?.(parts);
      changed.push(new XMLSerializer().serializeToString(parts.document));
      return changed[0] ?? '';
    };
    // The part that the shape needs is signed, and then both parts.
    const signed = name === 'XSW1' || name === 'XSW2' ? 'response' : 'assertion';
    for (const parts of [signed, 'both'] as const) {
      await expect(take({ email: 'ann@example.org', signed: parts, after }, mode)).rejects.toMatchObject({
        reason: 'unauthenticated',
        details: [{ message: 'shape' }],
      });
    }
    expect(['admin@example.org', 'ann@example.org'].map((one) => changed[0]?.includes(one))).toEqual([true, true]);
  });
});

describe('the setting for signed parts', () => {
  it.each([
    ['both', 'both', true],
    ['both', 'assertion', false],
    ['both', 'response', false],
    ['both', 'nothing', false],
    ['assertion', 'both', true],
    ['assertion', 'assertion', true],
    ['assertion', 'response', false],
    ['assertion', 'nothing', false],
    ['response', 'both', true],
    ['response', 'assertion', false],
    ['response', 'response', true],
    ['response', 'nothing', false],
  ] as const)('at %s, for a response that signs %s, accepts it: %s', async (mode, signed, good) => {
    const taken = take({ email: 'ann@example.org', signed }, mode);
    if (good) expect(await taken).toBe('ann@example.org');
    else await expect(taken).rejects.toMatchObject({ reason: 'unauthenticated', details: [{ message: 'signature' }] });
  });
});
