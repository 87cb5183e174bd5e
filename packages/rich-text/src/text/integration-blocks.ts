import { isObject } from '../model/json.js';
import { type Block, type Data, type RichDocument } from '../model/types.js';
import { walk } from '../model/walk.js';
import { textIn } from './node-data.js';

/** The blocks of a document that integrations show, in reading order. */
export function integrationBlocks(document: RichDocument): Block[] {
  const found: Block[] = [];
  walk(document, (node) => {
    if (node.object === 'block' && node.type === 'integration') found.push(node);
  });
  return found;
}

/** What can be said of a block of an integration without asking the integration. */
export interface IntegrationCard {
  /** What it is called; that of the integration where nothing else is known. */
  title: string;
  /** Empty when there is none. */
  description: string;
  /** Where it leads: an address with `http` or `https`. */
  url: string | undefined;
  /** Text that it shows, as its author has written it; empty when there is none. */
  content: string;
  /** What the integration is called: its title, or else its name. */
  integration: string;
  /** The address of the icon of the integration. */
  icon: string | undefined;
}

/**
 * What a block says of itself, and, where references were resolved, what its integration says of it. The author of the
 * page knows better than the integration.
 */
export function integrationCard({ data }: Block): IntegrationCard {
  const [props, resolved] = [objectIn(data, 'props'), objectIn(data, 'resolved')];
  const integration = textIn(objectIn(resolved, 'integration'), 'title') || textIn(data, 'integration');
  const own = textIn(props, 'title') || textIn(data, 'title');
  const url = [textIn(data, 'url'), textIn(props, 'url')].find(isWebAddress);
  return {
    title: own.trim() || textIn(resolved, 'title') || url || integration,
    description: textIn(props, 'description').trim() || textIn(resolved, 'description'),
    url,
    content: textIn(props, 'content') || textIn(props, 'text'),
    integration,
    icon: [textIn(resolved, 'icon')].find(isWebAddress),
  };
}

function objectIn(data: Data, name: string): Data {
  const value = data[name];
  return isObject(value) ? value : {};
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
