import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@scriptorium/platform/config';
import { tempFolders } from '../test/temp-folder.js';
import { addressOf } from './address.js';

const folder = tempFolders();

function dataFolder(endpoint = 'https://docs.example.com'): string {
  const path = folder();
  writeFileSync(join(path, 'first-run.json'), JSON.stringify({ endpoint, token: 'first' }));
  return path;
}

describe('the address of an installation', () => {
  it('is that of the settings, or that of the first start', async () => {
    const DATA_DIR = dataFolder();
    expect(await addressOf({ DATA_DIR })).toMatchObject({ endpoint: 'https://docs.example.com', token: 'first' });
    const given = { SCRIPTORIUM_URL: 'https://other.example.com/', SCRIPTORIUM_TOKEN: 'own' };
    expect(await addressOf({ DATA_DIR, ...given })).toMatchObject({
      endpoint: 'https://other.example.com',
      token: 'own',
    });
  });

  it('may be that of the API, as a start prints it', async () => {
    const given = { SCRIPTORIUM_URL: 'https://other.example.com/v1/', SCRIPTORIUM_TOKEN: 'own' };
    expect(await addressOf(given)).toMatchObject({ endpoint: 'https://other.example.com' });
  });

  it('has no password, which is not told', async () => {
    const given = { SCRIPTORIUM_URL: 'https://me:secret@other.example.com', SCRIPTORIUM_TOKEN: 'own' };
    const refused: unknown = await addressOf(given).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(String(refused)).toMatch(/must have no user name and no password$/);
  });

  it.each(['https://docs.example.com', 'http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'may be %s with the first token',
    async (SCRIPTORIUM_URL) => {
      expect((await addressOf({ DATA_DIR: dataFolder(), SCRIPTORIUM_URL })).token).toBe('first');
    },
  );

  it.each(['https://other.example.com', 'http://docs.example.com', 'https://localhost.example.com'])(
    'gets no first token of another installation: %s',
    async (SCRIPTORIUM_URL) => {
      const asked = addressOf({ DATA_DIR: dataFolder(), SCRIPTORIUM_URL });
      await expect(asked).rejects.toThrow(/^set SCRIPTORIUM_TOKEN: the token in .* is for https:\/\/docs.example.com/);
    },
  );

  it('never tells a token that cannot be sent', async () => {
    const asked = addressOf({ SCRIPTORIUM_URL: 'http://127.0.0.1:1', SCRIPTORIUM_TOKEN: 'secret\nline' });
    await expect(asked).rejects.toThrow(/^SCRIPTORIUM_TOKEN: Must be visible ASCII characters$/);
  });
});
