// Run by `npm run sbom`: prints what the apps need to run as CycloneDX. `npm sbom --omit dev` leaves out dependencies
// of workspaces.
import { readFileSync } from 'node:fs';
import { productionDependencies } from './lock-file.mjs';

const { name, version, license } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const purlOf = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
const licenceOf = (licence) => [/\s/.test(licence) ? { expression: licence } : { license: { id: licence } }];

const components = productionDependencies().map((one) => ({
  type: 'library',
  'bom-ref': purlOf(one),
  name: one.name,
  version: one.version,
  scope: one.optional ? 'optional' : 'required',
  ...(one.integrity === undefined ? {} : { hashes: [hashOf(one.integrity)] }),
  ...(one.licence === undefined ? {} : { licenses: licenceOf(one.licence) }),
  purl: purlOf(one),
}));
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': name, name, version, licenses: licenceOf(license) } },
  components,
};
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);

/** The hash in an `integrity` field (`sha512-<base64>`). */
function hashOf(integrity) {
  const [algorithm, base64] = integrity.split(/-(.*)/s);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}
