export const addresses = { kind: 'email' };
