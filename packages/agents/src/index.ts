export { answerAgent, type AgentAnswer, type AgentRequest, type AgentServer } from './answer-agent.js';
export { toolsWith, type TellFailure, type Tool } from './tool.js';
