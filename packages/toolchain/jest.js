// The same generated inputs in every run, unless told: a change is judged by what it changes. The long runs choose
// their own.
process.env.SEED ??= '20261';

/** Jest for ESM TypeScript: sources of the workspace under test, built `dist` of every other one. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testSequencer: '@scriptorium/toolchain/sequencer',
  // No case takes as long, but on a machine that does much else.
  testTimeout: 60_000,
  maxWorkers: 2,
  injectGlobals: false,
};

/** Of a workspace whose specs ask for rigs: `dist/test/rig-host.js` is their host while specs run. */
export const withRigs = (preset) => ({
  ...preset,
  globalSetup: '@scriptorium/testing/global-setup',
  globalTeardown: '@scriptorium/testing/global-teardown',
});
