/** Settings that this service alone has: none. */
export const settings = {};
