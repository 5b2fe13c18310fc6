import type { Env } from '../env.ts';
import type { Post } from './post.ts';

/** The way out, loaded when something is first sent. */
export function createPostLater(env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>): Post {
  let loaded: Promise<Post> | null = null;
  return async (letter) => {
    loaded ??= import('./post.ts').then(({ createPost }) => createPost(env));
    return (await loaded)(letter);
  };
}
