import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { newProviderKey } from '../../test/certificates.js';
import { startRig, type Rig } from '../../test/rig.js';

const bare = (pem: string) => pem.replace(/-----.*-----/g, '').trim();
const line = bare(someCertificate).replaceAll('\n', '');
const other = newProviderKey('other.example').certificate;
const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
/** Of an elliptic curve. Its key was not kept. */
const ofCurve = `${begin}
MIIBhzCCAS2gAwIBAgIURSZesKSW8GKFABOe7WPWnveELb4wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNY3VydmUuZXhhbXBsZTAgFw0yNjExMjgxNDAzMDBaGA8yMTI2
MTEwNDE0MDMwMFowGDEWMBQGA1UEAwwNY3VydmUuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABH2RC1KF02jI3dj9ypjxJ+pWwSpV3JrsQ24/ppy1ObCr
3FGgF1Iyk/2o3rRMd3MApkJcu1lH9pHdrKJ+ZQRB9NCjUzBRMB0GA1UdDgQWBBTr
PD+jT7C7bWWx/GyMy7A+Ku4cMjAfBgNVHSMEGDAWgBTrPD+jT7C7bWWx/GyMy7A+
Ku4cMjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDz8mmlgdzC
ZFW6J2uxXBBru7vGcAjJ+wmwVuKS97cp4gIgGdeBcQ8XxcbJacDXmAj5lAQB1Itb
91kEz0oNQLYMBbI=
${end}`;
const elementOf = (text: string) =>
  `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\n  <ds:X509Data>\n    <ds:X509Certificate>${text}</ds:X509Certificate>\n  </ds:X509Data>\n</ds:KeyInfo>`;

describe('the certificate of a SAML provider', () => {
  let rig: Rig;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    const settings = { label: 'Main', ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example' };
    const { body } = await rig.send('POST', `/orgs/${rig.organization}/saml`, { body: settings });
    provider = `/orgs/${rig.organization}/saml/${String(body['id'])}`;
  }, 60_000);
  afterAll(() => rig.stop());

  it.each([
    ['PEM', someCertificate, 1],
    ['PEM in one line', `${begin}${line}${end}`, 1],
    ['PEM in one line with blanks', `${begin} ${line} ${end}`, 1],
    ['PEM that is indented', `\n${someCertificate.replace(/^/gm, '\t    ')}\n`, 1],
    ['PEM with lines of another system', someCertificate.replaceAll('\n', '\r\n'), 1],
    ['PEM with written line ends, as in JSON', someCertificate.replaceAll('\n', String.raw`\n`), 1],
    ['PEM without its last line', `${begin}\n${bare(someCertificate)}`, 1],
    ['PEM below what a tool wrote of it', `subject=CN = idp.example\nissuer=CN = idp.example\n${someCertificate}\n`, 1],
    ['base64 in lines', bare(someCertificate), 1],
    ['base64 in one line', line, 1],
    ['base64 that is indented', bare(someCertificate).replace(/^/gm, '        '), 1],
    ['an element', `<X509Certificate>${line}</X509Certificate>`, 1],
    ['an element of metadata', elementOf(`\n${bare(someCertificate).replace(/^/gm, '      ')}\n`), 1],
    ['an element with written line ends', elementOf(bare(someCertificate).replaceAll('\n', '&#13;\n')), 1],
    ['two in PEM', `${someCertificate}\n${other}`, 2],
    ['two elements', `${elementOf(line)}\n${elementOf(bare(other))}`, 2],
    ['two in base64', `${line}\n\n${bare(other)}`, 2],
    ['one in PEM and one in base64', `${someCertificate}\n\n${bare(other)}`, 2],
  ])('may be given as %s, and is kept in one form', async (_, certificate, count) => {
    await rig.send('PATCH', provider, { body: { certificate: null } });
    const { status, body } = await rig.send('PATCH', provider, { body: { certificate } });
    expect([status, body['status'], body['certificate']]).toEqual([
      200,
      'active',
      count === 1 ? someCertificate : `${someCertificate}\n${other}`,
    ]);
    const again = await rig.send('PATCH', provider, { body: { certificate: body['certificate'] } });
    expect(again.body).toEqual(body);
  });

  it.each([
    ['words', 'no certificate'],
    ['a block without a certificate', `${begin}\nAAAA\n${end}`],
    ['a certificate that is cut off', line.slice(0, 200)],
    ['a block that is cut off', `${begin}\n${line.slice(0, 200)}\n${end}`],
    ['a certificate with more behind it', `${begin}\n${line.replace('=', '')}AAAA\n${end}`],
    ['an empty block', `${begin}\n${end}`],
    ['an empty element', '<X509Certificate></X509Certificate>'],
    ['an element without a certificate', '<X509Certificate>AAAA</X509Certificate>'],
    ['blanks', ' \n '],
    ['a second block that cannot be read', `${someCertificate}\n${begin}\nAAAA\n${end}`],
    ['a second one in base64 that cannot be read', `${someCertificate}\n\n${line.slice(0, 200)}`],
    ['a second block that is cut off', `${someCertificate}\n${begin}\n${line.slice(0, 200)}`],
    ['a second block of which only the beginning is there', `${someCertificate}\n${begin}`],
    ['an empty second block', `${someCertificate}\n${begin}\n${end}`],
    ['one of a key whose signatures are not verified', ofCurve],
    ['a key that is too short', bare(newProviderKey('short.example', 1024).certificate)],
    ['more than 10,000 characters in lines of 64', `${line}\n\n`.repeat(22)],
  ])('is refused as %s, naming the field', async (_, certificate) => {
    await rig.send('PATCH', provider, { body: { certificate: someCertificate } });
    const changed = await rig.send('PATCH', provider, { body: { certificate } });
    const paths = (changed.body.error.details ?? []).map(({ path }) => path);
    expect([changed.status, changed.body.error.reason, paths]).toEqual([400, 'invalid_request', ['body.certificate']]);
    const made = await rig.send('POST', `/orgs/${rig.organization}/saml`, { body: { label: 'Other', certificate } });
    expect([made.status, made.body.error.details?.[0]?.path]).toEqual([400, 'body.certificate']);
    expect((await rig.send('GET', provider)).body).toMatchObject({ status: 'active', certificate: someCertificate });
  });

  it('stands beside an entity id and an address without the blanks around them', async () => {
    const body = { entityID: ' \thttps://idp.example/metadata\r\n', ssoURL: ' https://idp.example/sso?a=1\n' };
    expect((await rig.send('PATCH', provider, { body })).body).toMatchObject({
      entityID: 'https://idp.example/metadata',
      ssoURL: 'https://idp.example/sso?a=1',
    });
    for (const entityID of ['', ' \n ', 'a\nb', 'x'.repeat(1_025)]) {
      const { status, body: refused } = await rig.send('PATCH', provider, { body: { entityID } });
      expect([status, refused.error.details?.[0]?.path]).toEqual([400, 'body.entityID']);
    }
  });
});
