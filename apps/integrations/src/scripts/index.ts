export { createAnswerCache, reuseOf, type AnswerCache } from './answer-cache.js';
export { envelopeOf, type Envelope } from './envelope.process.js';
export { RuntimeClient, type CallResult, type ScriptTrace } from './runtime-client.process.js';
export type { CallFailure, ScriptAnswer } from './script-answer.process.js';
