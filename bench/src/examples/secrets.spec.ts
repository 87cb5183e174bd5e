import { describe, expect, it } from '@jest/globals';
import { withoutSecrets } from './secrets.js';

describe('an example of an operation with secrets', () => {
  it('hides their texts, and the paths of addresses', () => {
    const answer = {
      items: [{ id: 'a', token: 'scr_x' }],
      url: 'https://docs.example.org/secret?x=1',
      claims: { a: 1 },
    };
    expect(withoutSecrets({ answer }, ['token', 'url', 'claims'])).toEqual({
      answer: { items: [{ id: 'a', token: '…' }], url: 'https://docs.example.org/hidden', claims: {} },
    });
  });
});
