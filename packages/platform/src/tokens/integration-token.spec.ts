import { describe, expect, it } from '@jest/globals';
import { parseKeyring } from '../process/keyring.js';
import { issueIntegrationToken, looksLikeIntegrationToken, verifyIntegrationToken } from './signed-tokens.js';

const keyring = (...ids: string[]) =>
  parseKeyring(['reservation', ...ids].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join());
const keys = keyring('k1');
const now = Date.parse('2026-01-02T03:10:00.000Z');
const ofIntegration = { kind: 'integration', integration: 'slack', generation: 2 } as const;
const ofInstallation = {
  kind: 'installation',
  integration: 'slack',
  installation: 'i',
  organization: 'o',
  generation: 3,
} as const;

describe('a token of an integration', () => {
  it('says what it was issued for', () => {
    for (const [payload, prefix] of [
      [ofIntegration, 'scr_int_'],
      [ofInstallation, 'scr_inst_'],
    ] as const) {
      const token = issueIntegrationToken(keys, payload, now);
      expect(token.startsWith(prefix)).toBe(true);
      expect(looksLikeIntegrationToken(token)).toBe(true);
      expect(verifyIntegrationToken(keys, token, now)?.payload).toEqual(payload);
    }
  });

  it('is the same for half an hour, and valid for an hour from its beginning', () => {
    const token = issueIntegrationToken(keys, ofInstallation, now);
    const at = (time: string) => Date.parse(`2026-01-02T${time}Z`);
    expect(issueIntegrationToken(keys, ofInstallation, at('03:29:59.999'))).toBe(token);
    expect(issueIntegrationToken(keys, ofInstallation, at('03:30:00.000'))).not.toBe(token);
    expect(verifyIntegrationToken(keys, token, now)?.expiresAt).toBe(at('04:00:00.000'));
    expect(verifyIntegrationToken(keys, token, at('03:59:59.999'))).not.toBeNull();
    expect(verifyIntegrationToken(keys, token, at('04:00:00.000'))).toBeNull();
  });

  it('is of no other kind than it was issued for', () => {
    const token = issueIntegrationToken(keys, ofInstallation, now);
    expect(verifyIntegrationToken(keys, token.replace('scr_inst_', 'scr_int_'), now)).toBeNull();
  });

  it('is refused when any part of it was changed', () => {
    const token = issueIntegrationToken(keys, ofInstallation, now);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < token.length; i += 1)
      for (const letter of [letters[(letters.indexOf(token.charAt(i)) + 1) % 64] ?? '', '.']) {
        const other = `${token.slice(0, i)}${letter}${token.slice(i + 1)}`;
        if (other !== token) expect(verifyIntegrationToken(keys, other, now)).toBeNull();
      }
    for (const text of ['', 'scr_inst_', `${token}A`, `${token}=`, ` ${token}`, token.slice(0, -1)])
      expect(verifyIntegrationToken(keys, text, now)).toBeNull();
  });

  it('is refused under another key, and accepted under one that signed before', () => {
    const token = issueIntegrationToken(keys, ofIntegration, now);
    expect(verifyIntegrationToken(keyring('k2'), token, now)).toBeNull();
    expect(verifyIntegrationToken(keyring('k2', 'k1'), token, now)).not.toBeNull();
  });

  it('is not signed by the keys of other purposes', () => {
    const token = issueIntegrationToken(keys, ofIntegration, now);
    const text = token.slice(0, token.lastIndexOf('.'));
    const mac = Buffer.from(keys.sign('content-token', text), 'hex').toString('base64url');
    expect(verifyIntegrationToken(keys, `${text}.${mac}`, now)).toBeNull();
  });
});
