import { describe, expect, it } from '@jest/globals';
import { failureOf } from './publish-command.js';

describe('the end of scriptorium openapi publish', () => {
  it('is a refusal when a quota is reached, and a problem of the text otherwise', () => {
    expect(failureOf('shop', 'QUOTA_REACHED')).toMatchObject({
      code: 1,
      message: 'shop has no new version: a quota of the organization is reached (QUOTA_REACHED)',
    });
    for (const code of ['PARSE_ERROR', 'FETCH_ERROR', 'FETCH_TIMEOUT'] as const)
      expect(failureOf('shop', code)).toMatchObject({ code: 2, message: `shop could not be read (${code})` });
  });
});
