import { toolsWith } from '@scriptorium/agents';
import { Id, text, type Client } from '@scriptorium/contracts';
import * as z from 'zod';

/** Builds a tool that calls the API as its caller. */
export const tool = toolsWith<Client>();

/** Inputs that several tools have. */
export const spaceId = Id.describe('Id of the space.');
export const changeRequestId = Id.describe('Id of the change request, or its number in the space.');
export const query = text(1, 512).describe('Words that the pages have; the last one may be the beginning of a word.');
export const cursor = z.string().max(2048).optional().describe('`next` of the answer before, for what follows it.');
export const offset = z.number().int().min(0).default(0).describe('Characters to leave out at the beginning.');
export const limit = z.number().int().min(1).max(100).default(25).describe('The most entries to answer.');

/** A list as a model reads it: compact JSON. */
export function listed(items: readonly unknown[], next: { page: string } | undefined): string {
  return JSON.stringify({ items, ...(next === undefined ? {} : { next: next.page }) });
}

/** What a person is called; the id where the caller may not see more. */
export function nameOf(person: { id: string; displayName?: string }): string {
  return person.displayName ?? person.id;
}
