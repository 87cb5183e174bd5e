import toolchain from '@scriptorium/toolchain/jest';

export default { ...toolchain, globalSetup: './scripts/build-apps.mjs' };
