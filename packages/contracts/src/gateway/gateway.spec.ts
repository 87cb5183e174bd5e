import { describe, expect, it } from '@jest/globals';
import { partOfDocument } from '../test/part-of-document.js';
import { gatewayOperations } from './index.js';

describe('the operations of the gateway', () => {
  it('stay as they were but for additions', () => {
    expect(partOfDocument(gatewayOperations)).toMatchSnapshot();
  });
});
