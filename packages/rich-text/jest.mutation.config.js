import jest from '@scriptorium/toolchain/jest';

// Mutants are to be found by the specs that say what is right; the long generated runs would only make it slow.
// SPECS narrows them further, to the ones beside the mutated files.
const specs = process.env.SPECS ?? '**/*';
export default {
  ...jest,
  testMatch: [`<rootDir>/src/${specs}.spec.ts`],
  testPathIgnorePatterns: ['fuzz.spec', 'hostile.spec', 'readme.spec', 'page.spec'],
  maxWorkers: 1,
};
