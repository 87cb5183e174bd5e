import { describe, expect, it } from '@jest/globals';
import { partOfDocument } from '../test/part-of-document.js';
import { gatewayOperations } from './index.js';

describe('the operations of the gateway', () => {
  it('equal the snapshot', () => {
    expect(partOfDocument(gatewayOperations)).toMatchSnapshot();
  });
});
