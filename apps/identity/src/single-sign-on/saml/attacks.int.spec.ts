import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newProviderKey } from '../../test/certificates.js';
import { startIdentityProvider, type AnswerContent, type TestProvider } from '../../test/identity-provider.js';
import { users } from '../../organization-read-models/user.projection.js';
import { startRig, type Rig } from '../../test/rig-with-store.js';
import { ssoVisitor, metadataOver } from '../../test/sso-visitor.js';

const email = 'ann@acme.example';
const minute = 60_000;
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const entities = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};&e${i};&e${i};&e${i};&e${i};&e${i};&e${i};">`,
  ).join('');

/** Changes with `before` are made before signing, so the signature is valid. Changes with `after` invalidate it. */
const attacks: Record<string, { says: Partial<AnswerContent>; problem: string }> = {
  'for another audience': { says: { tags: { Audience: 'https://other.example' } }, problem: 'audience' },
  'without an audience': {
    says: { before: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
    problem: 'audience',
  },
  'for another recipient': { says: { tags: { SubjectRecipient: 'https://other.example/acs' } }, problem: 'recipient' },
  'without a recipient': { says: { before: (xml) => xml.replace(/ Recipient="[^"]*"/, '') }, problem: 'recipient' },
  'with another confirmation method': {
    says: { before: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
    problem: 'recipient',
  },
  'of another issuer': { says: { tags: { Issuer: 'https://other.example' } }, problem: 'issuer' },
  'whose assertion is of another issuer': {
    says: { before: (xml) => xml.replace(/(<saml:Assertion[^>]*><saml:Issuer>)[^<]*/, '$1https://other.example') },
    problem: 'issuer',
  },
  'for another destination': { says: { tags: { Destination: 'https://other.example/acs' } }, problem: 'destination' },
  'that has expired': { says: { tags: { ConditionsNotOnOrAfter: at(-2 * minute) } }, problem: 'time' },
  'that expires on a day that its month does not have': {
    says: { tags: { ConditionsNotOnOrAfter: '2999-02-30T00:00:00Z' } },
    problem: 'time',
  },
  'whose confirmation has expired': {
    says: { tags: { SubjectConfirmationDataNotOnOrAfter: at(-2 * minute) } },
    problem: 'time',
  },
  'that is old, although it never expires': {
    says: {
      tags: {
        IssueInstant: at(-12 * minute),
        ConditionsNotOnOrAfter: at(1e9),
        SubjectConfirmationDataNotOnOrAfter: at(1e9),
      },
    },
    problem: 'time',
  },
  'that is not valid yet': { says: { tags: { ConditionsNotBefore: at(3 * minute) } }, problem: 'time' },
  'issued in the future': { says: { tags: { IssueInstant: at(3 * minute) } }, problem: 'time' },
  'to another request': { says: { tags: { InResponseTo: '_another' } }, problem: 'answer' },
  'whose assertion answers another request': {
    says: { before: (xml) => xml.replace(/(Recipient="[^"]*" InResponseTo=")[^"]*/, '$1_another') },
    problem: 'answer',
  },
  'that reports a failure': {
    says: { tags: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } },
    problem: 'status',
  },
  'without a signature': { says: { signed: 'nothing' }, problem: 'signature' },
  'with an unsigned assertion in a signed response': { says: { signed: 'response' }, problem: 'signature' },
  'with a signed assertion in an unsigned response': { says: { signed: 'assertion' }, problem: 'signature' },
  'signed with another key and its certificate': { says: { key: newProviderKey() }, problem: 'signature' },
  'changed after it was signed': {
    says: { after: (xml) => xml.replace(email, 'boss@acme.example') },
    problem: 'signature',
  },
  'signed with SHA-1': { says: { algorithm: sha1 }, problem: 'algorithm' },
  'with a SHA-1 digest': {
    says: {
      after: (xml) => xml.replace('http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'),
    },
    problem: 'algorithm',
  },
  'with a comment inside the name': {
    says: { before: (xml) => xml.replace(email, `${email}<!-- -->.evil.example`) },
    problem: 'malformed',
  },
  'with an element inside the name': {
    says: { before: (xml) => xml.replace(email, `ann<x/>@acme.example`) },
    problem: 'name',
  },
  'with CDATA inside the name': {
    says: { before: (xml) => xml.replace(email, `<![CDATA[boss@acme.example]]>`) },
    problem: 'malformed',
  },
  'whose name is no e-mail address': { says: { email: 'ann' }, problem: 'name' },
  'with an external entity': {
    says: { after: (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replace(email, '&x;')}` },
    problem: 'malformed',
  },
  'with an external document type': {
    says: { after: (xml) => `<!DOCTYPE r SYSTEM "http://127.0.0.1:1/evil.dtd">${xml}` },
    problem: 'malformed',
  },
  'with entities that expand into each other': {
    says: { after: (xml) => `<!DOCTYPE r [<!ENTITY e0 "ha">${entities(40)}]>${xml.replace(email, '&e40;')}` },
    problem: 'malformed',
  },
  'with a processing instruction': {
    says: { after: (xml) => xml.replace('<saml:Assertion', '<?php evil?><saml:Assertion') },
    problem: 'malformed',
  },
  'that is cut off': { says: { after: (xml) => xml.slice(0, -20) }, problem: 'malformed' },
  'with two elements of the same id': {
    says: {
      after: (xml) => xml.replace('<samlp:Status>', `<samlp:Status ID="${/ ID="([^"]*)"/.exec(xml)?.[1] ?? ''}">`),
    },
    problem: 'shape',
  },
  'with a transform that is not allowed': {
    says: {
      after: (xml) =>
        xml.replace(
          'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
          'http://www.w3.org/TR/1999/REC-xpath-19991116',
        ),
    },
    problem: 'algorithm',
  },
};

describe('a SAML response', () => {
  let rig: Rig;
  let idp: TestProvider;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    idp = await startIdentityProvider(metadataOver(rig));
    const made = await rig.send('POST', `/orgs/${rig.organization}/saml`, { body: { label: 'Main', ...idp.settings } });
    provider = String(made.body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const outcome = async (response: Response): Promise<[number, string | undefined, string | null]> => {
    const { error } = (response.status === 302 ? {} : await response.json()) as {
      error?: { details?: { message: string }[] };
    };
    return [response.status, error?.details?.[0]?.message, response.headers.get('set-cookie')];
  };
  const people = () => rig.store.database.collection(users.collection).countDocuments({ email });

  it.each(Object.entries(attacks))('%s is refused', async (_name, { says, problem }) => {
    expect(await outcome(await ssoVisitor(rig, idp).signInThrough(provider, { email, ...says }))).toEqual([
      401,
      problem,
      null,
    ]);
    expect(await people()).toBe(0);
  });

  it('signed by HMAC with the public key is refused', async () => {
    const after = (xml: string): string => {
      const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
      const info =
        /<ds:SignedInfo.*?<\/ds:SignedInfo>/
          .exec(xml)?.[0]
          .replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, `$1${hmac}`) ?? '';
      const value = createHmac('sha1', idp.key.certificate).update(info).digest('base64');
      return xml
        .replace(/<ds:SignedInfo.*?<\/ds:SignedInfo>/, info)
        .replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`);
    };
    expect(await outcome(await ssoVisitor(rig, idp).signInThrough(provider, { email, after }))).toEqual([
      401,
      'algorithm',
      null,
    ]);
  });

  it('of another provider of the same organization is refused', async () => {
    const other = await startIdentityProvider(metadataOver(rig));
    const made = await rig.send('POST', `/orgs/${rig.organization}/saml`, {
      body: { label: 'Other', ...other.settings },
    });
    const one = ssoVisitor(rig, idp);
    // Unchanged, and as if it came from the first provider.
    const [mine, theirs] = [
      await one.requestAnswer(String(made.body['id']), { email }, '', other),
      await one.requestAnswer(provider, { email, key: other.key }),
    ];
    expect(await outcome(await one.post({ ...mine, action: theirs.action }))).toEqual([401, 'request', null]);
    expect(await outcome(await one.post({ ...mine, action: theirs.action, RelayState: theirs.RelayState }))).toEqual([
      401,
      expect.stringMatching(/issuer|destination/),
      null,
    ]);
    const again = await one.requestAnswer(provider, { email, key: other.key, tags: { Issuer: idp.settings.entityID } });
    expect(await outcome(await one.post(again))).toEqual([401, 'signature', null]);
    await other.stop();
  });

  it('is accepted once, on all replicas together', async () => {
    const second = await rig.replica();
    const one = ssoVisitor(rig, idp);
    const form = await one.requestAnswer(provider, { email: 'once@acme.example' });
    const all = await Promise.all(Array.from({ length: 6 }, () => one.post(form)));
    expect(all.map(({ status }) => status).sort()).toEqual([302, 401, 401, 401, 401, 401]);
    expect(await outcome(await one.post(form))).toEqual([401, 'request', null]);
    // The provider sends the same assertion again for another request.
    const tags = { AssertionID: '_same' };
    expect((await one.signInThrough(provider, { email: 'once@acme.example', tags })).status).toBe(302);
    for (let i = 0; i < 4; i += 1) {
      expect(await outcome(await one.signInThrough(provider, { email: 'once@acme.example', tags }))).toEqual([
        401,
        'replay',
        null,
      ]);
    }
    await second.stop();
  });

  it('is accepted only from the browser that started the sign-in, and only in time', async () => {
    const [one, other] = [ssoVisitor(rig, idp), ssoVisitor(rig, idp)];
    const form = await one.requestAnswer(provider, { email });
    await other.requestAnswer(provider, { email });
    expect(await outcome(await other.post(form))).toEqual([401, 'request', null]);
    expect(await outcome(await ssoVisitor(rig, idp).post(form))).toEqual([401, 'request', null]);
    await rig.store.database.collection('op_saml_requests').updateMany({}, { $set: { expiresAt: Date.now() - 1 } });
    expect(await outcome(await one.post(form))).toEqual([401, 'request', null]);
  });

  it.each(['https://evil.example', '//evil.example', 'javascript:alert(1)', '', '../x'])(
    'with the RelayState %p is refused without a redirect',
    async (RelayState) => {
      const one = ssoVisitor(rig, idp);
      const answer = await one.post({ ...(await one.requestAnswer(provider, { email })), RelayState });
      expect([answer.headers.get('location'), ...(await outcome(answer))]).toEqual([null, 401, 'request', null]);
    },
  );

  it('is accepted only as one form of limited size', async () => {
    const one = ssoVisitor(rig, idp);
    const { action, RelayState, SAMLResponse } = await one.requestAnswer(provider, { email });
    const url = action.replace('https://docs.example', rig.endpoint);
    const send = async (body: string | URLSearchParams, type = 'application/x-www-form-urlencoded') =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })).status;
    const fields = new URLSearchParams({ SAMLResponse, RelayState });
    expect(await send(`${fields.toString()}&SAMLResponse=AAAA`)).toBe(400);
    expect(await send(JSON.stringify({ SAMLResponse, RelayState }), 'application/json')).toBe(415);
    expect(await send(new URLSearchParams({ RelayState }))).toBe(400);
    expect(await send(new URLSearchParams({ SAMLResponse: '<xml>', RelayState }))).toBe(400);
    expect(await send(new URLSearchParams({ SAMLResponse: 'A'.repeat(300_000), RelayState }))).toBe(400);
    expect(await send(new URLSearchParams({ SAMLResponse: 'A'.repeat(600_000), RelayState }))).toBe(413);
  });
});
