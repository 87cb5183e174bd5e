// Writes the services of the product into the values of the chart: `node infra/helm/services.mjs`. With --check it only
// compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { services } from '../../packages/contracts/dist/services.js';

const file = new URL('scriptorium/values.yaml', import.meta.url);
const block = /(# begin of services\n)[^]*(# end of services\n)/;
/** Settings that come from the Secret, and their keys there. */
const secrets = [
  'SMTP_URL',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
  'TRANSLATION_KEY',
  'CONVERSATIONS_CHAT_KEY',
  'CONVERSATIONS_EMBEDDINGS_KEY',
];

/**
 * What each took under load (docs/kubernetes.md, Resources), and some more; a new service asks for what `service` says.
 */
const requests = {
  identity: '{ cpu: 100m, memory: 256Mi }',
  content: '{ cpu: 250m, memory: 512Mi }',
  collaboration: '{ cpu: 150m, memory: 256Mi }',
  sites: '{ cpu: 100m, memory: 192Mi }',
};

const text = readFileSync(file, 'utf8');
const entries = await Promise.all(services.map(({ name }) => entryOf(name)));
const made = text.replace(block, (_all, begin, end) => `${begin}services:\n${entries.join('')}${end}`);
if (!process.argv.includes('--check')) writeFileSync(file, made);
else if (made !== text) {
  process.stderr.write('infra/helm/scriptorium/values.yaml is not what node infra/helm/services.mjs makes\n');
  process.exitCode = 1;
}

/** The entry of a service: what follows from the settings that it has. */
async function entryOf(name) {
  const { settings } = await import(`../../apps/${name}/dist/settings.js`);
  const own = secrets.filter((secret) => secret in settings);
  const lines = [
    `  ${name}:`,
    own.length === 0 ? '    secrets: {}' : '    secrets:',
    ...own.map((secret) => `      ${secret}: ${secret.toLowerCase().replaceAll('_', '-')}`),
    `    data: ${'DATA_DIR' in settings}`,
    `    files: ${'FILES_PORT' in settings}`,
    ...('ENDPOINTS_PORT' in settings ? ['    endpoints: true'] : []),
    ...(name in requests ? [`    resources: { requests: ${requests[name]} }`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
