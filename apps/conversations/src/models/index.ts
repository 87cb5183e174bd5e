export { ModelFailure } from './ask-model.process.js';
export type { Chat } from './chat.process.js';
export { Models } from './models.process.js';
export { endOutage, noteOutage } from './outages.operational.js';
