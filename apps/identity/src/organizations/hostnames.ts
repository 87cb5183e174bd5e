export const hostnames = { kind: 'hostname' };
