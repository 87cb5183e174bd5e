import { conversationSettings } from './conversations/conversations.settings.js';
import { modelSettings } from './models/model.settings.js';

/**
 * Settings that this service alone has, those of its domains. Light, so that a start can check them before it loads the
 * service.
 */
export const settings = { ...conversationSettings, ...modelSettings };
