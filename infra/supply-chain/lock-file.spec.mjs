import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutIntegrity } from './lock-file.mjs';

describe('package-lock.json', () => {
  // npm reads packages in a `node_modules` of a workspace from the disk when it writes the lock file anew, and then leaves
  // out their hashes. `npm view NAME@VERSION dist.integrity` tells what belongs there.
  it('has the hash of every package that comes from the registry', () => {
    assert.deepEqual(withoutIntegrity(), []);
  });

});
