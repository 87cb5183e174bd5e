import { describe, expect, it } from '@jest/globals';
import { ordersLike } from './order-pages.js';

const main = (order: string) => ({ order, isFirst: true });
const own = (order: string | undefined) => ({ order, isFirst: false });

describe('the orders of merged pages', () => {
  it('stay wherever they rise', () => {
    expect(ordersLike([main('a0'), own('a1'), main('a2')])).toEqual(['a0', 'a1', 'a2']);
    expect(ordersLike([])).toEqual([]);
  });

  it('of the main content stay before those of the change request', () => {
    const [first = '', second = '', third = ''] = ordersLike([main('a0'), own('a1'), main('a1')]);
    expect([first, third]).toEqual(['a0', 'a1']);
    expect(first < second && second < third).toBe(true);
  });

  it('are new where there are none, or where they do not rise', () => {
    const orders = ordersLike([own(undefined), main('a3'), own('a1'), main('a2'), own(undefined), own('a0')]);
    expect([...orders].sort()).toEqual(orders);
    expect(new Set(orders).size).toBe(6);
    expect(orders).toContain('a1');
  });

  it('are all new when they become too long', () => {
    const long = `a${'0'.repeat(70)}V`;
    expect(Math.max(...ordersLike([main('a0'), main(long)]).map((order) => order.length))).toBeLessThan(10);
  });
});
