export { default } from '@scriptorium/toolchain/jest';
