import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { partOfDocument } from '../test/part-of-document.js';
import { auditOperations } from './audit.js';
import { changeOperations } from './changes.js';

describe('the operations of audit and changes', () => {
  it('equal the snapshot', () => {
    // The actions are those of all services: each service's own events are seen to where they are declared.
    const action = z.enum(['an_action']);
    expect(partOfDocument({ ...auditOperations(action), ...changeOperations(action) })).toMatchSnapshot();
  });
});
