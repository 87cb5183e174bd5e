import { describe, expect, it } from '@jest/globals';
import { partOfDocument } from '../test/part-of-document.js';
import { identityContract } from './service.js';

describe('the operations of identity', () => {
  it('equal the snapshot', () => {
    expect(partOfDocument({ ...identityContract.operations, ...identityContract.operator })).toMatchSnapshot();
  });
});
