// What this package's own suites send says nothing about use.
delete process.env.EMBEDDED_USAGE_DIR;

export { default } from '@scriptorium/toolchain/jest';
