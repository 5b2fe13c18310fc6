import type { Writing } from '../db/unit-of-work.ts';

export interface SignInContext extends Writing {
  features: readonly {
    signedIn?: (ctx: Writing, character_keys: readonly string[]) => Promise<void>;
  }[];
}

/** Tells the features that these characters' owners have signed in, which does not depend on them. */
export async function reportSignIn(
  ctx: SignInContext,
  character_keys: readonly string[],
): Promise<void> {
  for (const { signedIn } of ctx.features) await signedIn?.(ctx, character_keys).catch(() => {});
}
