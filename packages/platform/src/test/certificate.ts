import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate for a name that it has signed itself, in PEM: there is nothing in Node that makes one. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const algorithm = der(0x30, der(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const commonName = der(0x06, Buffer.from([0x55, 0x04, 0x03]));
  const who = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from(name)))));
  const times = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, version, serial, algorithm, who, times, who, spki);
  const signature = der(0x03, Buffer.from([0]), sign(null, body, privateKey));
  const base64 = der(0x30, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value with its tag and length (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}
