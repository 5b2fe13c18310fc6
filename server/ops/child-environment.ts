/** Beside libpq's own (`PG…`, and where it looks for a password file): how Node runs, and where it is. */
const HANDED_ON = /^(PATH|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SystemRoot|TZ|HOME|APPDATA|PG[A-Z]+)$/i;

/**
 * What a process of ours is given of the server's own environment: nothing of its settings, which may be secret and are handed
 * on by name, but all that reaching its database may depend on, as DATABASE_URL need not say everything.
 */
export function childEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => HANDED_ON.test(name)));
}
