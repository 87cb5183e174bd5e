import * as z from 'zod';

const Order = z.object({ order: z.enum(['release', 'resume']), service: z.string() });
const Answer = z.object({ done: z.enum(['release', 'resume']), service: z.string(), error: z.string().optional() });

/** An order of the supervisor to the host of services: to stop one of them, or to start it again. */
export type Order = z.output<typeof Order>;
export type OrderAnswer = z.output<typeof Answer>;

export function isOrder(message: unknown): message is Order {
  return Order.safeParse(message).success;
}

export function isOrderAnswer(message: unknown): message is OrderAnswer {
  return Answer.safeParse(message).success;
}
