export { JobQueue } from './job-queue.js';
export { createWorkerPool, type WorkerPool } from './worker-pool.js';
export { compiledModule, workerTask } from './worker-task.js';
