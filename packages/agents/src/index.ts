export { answerAgent, type AgentAnswer, type AgentRequest, type AgentServer } from './answer-agent.js';
export { partOf } from './part-of.js';
export { toolsWith, type TellFailure, type Tool, type ToolDefinition } from './tool.js';
