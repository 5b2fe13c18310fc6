/** An object without some of its fields. */
export function omit<T extends object, K extends keyof T>(object: T, ...names: K[]): Omit<T, K> {
  const rest = { ...object };
  for (const name of names) delete rest[name];
  return rest;
}
