// Imported first in a container: settings that are secret can be given as files, as NAME_FILE instead of NAME.
import { readFileSync } from 'node:fs';

const secret = [
  'SECRET_KEYS',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'NATS_URL',
  'SMTP_URL',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
  'TRANSLATION_KEY',
  'CONVERSATIONS_CHAT_KEY',
  'CONVERSATIONS_EMBEDDINGS_KEY',
  'RUNTIME_KEY',
];

for (const name of secret) {
  const file = process.env[`${name}_FILE`];
  if (file === undefined || file === '') continue;
  if ((process.env[name] ?? '') !== '') stop(`${name} and ${name}_FILE are both set`);
  try {
    process.env[name] = readFileSync(file, 'utf8').trim();
  } catch (error) {
    stop(`${name}_FILE: ${error.code} ${file}`);
  }
}

/** As the product ends for a wrong setting: starting again would not help. */
function stop(line) {
  process.stderr.write(`scriptorium: ${line}\n`);
  process.exit(78);
}
