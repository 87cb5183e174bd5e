export { eraseContent } from './erase-content.process.js';
export { scheduleSweep, youngMs } from './sweep-pool.run.js';
