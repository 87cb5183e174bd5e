export { type Engine, findEngine } from './engine/binary.js';
export { type Runtime, type RuntimeEvents, type RuntimeParts, startRuntime } from './start-runtime.js';
