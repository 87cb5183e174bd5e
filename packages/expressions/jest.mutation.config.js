import jest from '@scriptorium/toolchain/jest';

// Mutants are to be found by the specs that say what is right; the long generated runs would only make it slow.
export default { ...jest, testPathIgnorePatterns: ['fuzz.spec', 'oracle.spec', 'readme.spec'], maxWorkers: 1 };
