import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { partOfDocument } from '../test/part-of-document.js';
import { auditOperations } from './audit.js';
import { changeOperations } from './changes.js';

describe('the operations of audit and changes', () => {
  it('equal the snapshot', () => {
    // The actions depend on the events of all services, which have their own specs, so one example stands for them.
    const action = z.enum(['an_action']);
    expect(partOfDocument({ ...auditOperations(action), ...changeOperations(action) })).toMatchSnapshot();
  });
});
