import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../test/temp-folder.js';
import { inTurn } from './in-turn.js';
import { problems, sourceFolders } from './watch-build.js';

const folder = tempFolders();

describe('sourceFolders', () => {
  it('returns the folders of a workspace and of all its dependencies', () => {
    const root = folder();
    const workspace = (path: string, name: string, ...dependencies: string[]) => {
      mkdirSync(join(root, path), { recursive: true });
      const manifest = {
        name: `@scriptorium/${name}`,
        dependencies: Object.fromEntries(dependencies.map((each) => [each, '*'])),
      };
      writeFileSync(join(root, path, 'package.json'), JSON.stringify(manifest));
    };
    workspace('packages/contracts', 'contracts', 'zod');
    workspace('packages/store', 'store', '@scriptorium/contracts');
    workspace('packages/other', 'other');
    workspace('apps/identity', 'identity', '@scriptorium/contracts', '@scriptorium/store', 'mongodb');
    const found = sourceFolders(root, join(root, 'apps/identity'))
      .map((path) => path.slice(root.length + 1))
      .sort();
    expect(found).toEqual(['apps/identity/src', 'packages/contracts/src', 'packages/store/src']);
  });
});

describe('problems', () => {
  it('returns the lines of the compiler without those of other tools', () => {
    const mistake = 'src/x.ts(1,2): error TS1109: Expression expected.';
    expect(problems(['Running', mistake, 'exited (1)'])).toEqual([
      mistake,
      'the last version that could be built keeps running',
    ]);
    expect(problems(['no such workspace'])).toEqual(['no such workspace']);
  });
});

describe('inTurn', () => {
  it('answers calls during a run with one more run', async () => {
    let runs = 0;
    let finish: () => void = () => undefined;
    const call = inTurn(
      () =>
        new Promise<void>((resolve) => {
          runs += 1;
          finish = resolve;
        }),
    );
    call();
    call();
    call();
    expect(runs).toBe(1);
    finish();
    await new Promise(setImmediate);
    expect(runs).toBe(2);
    finish();
    await new Promise(setImmediate);
    expect(runs).toBe(2);
    call();
    expect(runs).toBe(3);
    finish();
  });
});
