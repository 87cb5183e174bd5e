import { ConfigError } from '@scriptorium/platform/config';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { installedServices } from '../apps.js';
import { readText } from '../installation/private-file.js';
import { readStartSettings, type StartSettings } from '../settings.js';
import { refuseBadSettings } from '../start/bad-settings.js';
import { failed, passed, type Check } from './check.js';

/** Whether all settings are valid; with those of the start, where they can be read. */
export async function settingsCheck(
  environment: NodeJS.ProcessEnv,
): Promise<{ check: Check; settings: StartSettings | undefined }> {
  let settings: StartSettings | undefined;
  try {
    settings = readStartSettings(environment);
    await refuseBadSettings(environment, installedServices());
    return { check: passed('settings', 'all are valid'), settings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check: failed('settings', error.message, 'correct it as docs/configuration.md says'), settings };
  }
}

/** Fewer different bytes has no key that was made by chance. */
const leastBytes = 12;

/** Whether the keyring is valid, and nobody can guess it. */
export async function keysCheck(given: string | undefined, path: string): Promise<Check> {
  const where = given === undefined ? path : 'SECRET_KEYS';
  const text = given ?? (await readText(path))?.trim();
  if (text === undefined || text === '') return passed('keys', `${path}, which the first start makes`);
  try {
    parseKeyring(text);
  } catch (error) {
    return failed('keys', `${where} is no keyring: ${(error as Error).message}`, 'take the keyring of your backup');
  }
  const isWeak = text.split(',').some((entry) => {
    const bytes = Buffer.from(entry.split(':')[1] ?? '', 'base64');
    return new Set(bytes).size < leastBytes || /example|change.?me|secret/i.test(bytes.toString('latin1'));
  });
  if (!isWeak) return passed('keys', `${where} has valid keys`);
  return failed(
    'keys',
    `a key in ${where} is that of an example or can be guessed`,
    'make new ones with infra/docker/secrets.sh before there is data',
  );
}
