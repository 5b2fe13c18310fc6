/** Tells whoever runs jobs on this server that one was stored; there may be nobody, as in a tool. */
export interface JobBell {
  /** A job that is due then is stored for good. */
  ring: (due_at: string) => void;
  /** One listens at a time. @returns a function that ends it */
  listen: (listener: (due_at: string) => void) => () => void;
}

export function createJobBell(): JobBell {
  let heard: ((due_at: string) => void) | null = null;
  return {
    ring: (due_at) => heard?.(due_at),
    listen: (listener) => {
      heard = listener;
      return () => {
        if (heard === listener) heard = null;
      };
    },
  };
}
