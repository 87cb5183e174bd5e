export { default } from '@scriptorium/toolchain/eslint';
