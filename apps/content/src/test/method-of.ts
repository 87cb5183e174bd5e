/** A method as it is, for calls with another `this`. */
export const methodOf = <T extends object, K extends keyof T>(of: T, name: K): T[K] => of[name];
