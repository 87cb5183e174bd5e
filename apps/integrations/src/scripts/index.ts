export { envelopeOf, type Envelope } from './envelope.process.js';
export { RuntimeClient, type CallResult, type ScriptAnswer, type ScriptTrace } from './runtime-client.process.js';
