/** What Node needs, and libpq's own variables (`PG…`, and where it looks for a password file). */
const PASSED_ON = /^(PATH|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SystemRoot|TZ|HOME|APPDATA|PG[A-Z]+)$/i;

/**
 * The environment of a child process: none of the settings, which may be secret, but everything that connecting to the database
 * may depend on, since DATABASE_URL need not say everything.
 */
export function childEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => PASSED_ON.test(name)));
}
