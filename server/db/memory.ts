/** Keyed by the function that `defineMemory` made. */
export type Memory = Map<unknown, unknown>;

/**
 * Declares what one server keeps in memory for a feature, such as limits and caches: created when first used, it
 * lasts as long as the context.
 * @returns reads it from a context
 */
export function defineMemory<C, T>(create: (ctx: C) => T): (ctx: C & { memory: Memory }) => T {
  const ofContext = (ctx: C & { memory: Memory }): T => {
    // Only this function stores values under itself.
    if (ctx.memory.has(ofContext)) return ctx.memory.get(ofContext) as T;
    const created = create(ctx);
    ctx.memory.set(ofContext, created);
    return created;
  };
  return ofContext;
}
