import { once } from '../../db/once.ts';
import type { Env } from '../../env.ts';
import type { Post } from './post.ts';

/** The way out, loaded when something is first sent. */
export function createPostLater(env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>): Post {
  const loaded = once(async () => (await import('./post.ts')).createPost(env));
  return async (letter) => (await loaded())(letter);
}
