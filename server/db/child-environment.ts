import { Worker } from 'node:worker_threads';

/** Variables that Node needs, and libpq's own (`PG…`, and those that locate a password file). */
const PASSED_ON =
  /^(PATH|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SystemRoot|TZ|HOME|APPDATA|PG[A-Z]+)$/i;

/**
 * The environment of a child process: none of the settings, which may be secret, but everything that connecting to the database
 * may depend on, since DATABASE_URL need not say everything.
 */
export function childEnvironment(own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => PASSED_ON.test(name)));
}

/** How often to look for the parent, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * Ends this child process once its parent is gone. On a thread of its own: during a statement of SQLite the main thread handles no event,
 * such as the end of the channel to a parent that was killed.
 */
export function endWithParent(): void {
  const watch = `
    const { workerData: parent } = require('node:worker_threads');
    setInterval(() => {
      try {
        process.kill(parent, 0);
        if (process.ppid === parent) return;
      } catch {}
      process.kill(process.pid, 'SIGKILL');
    }, ${LOOK_EVERY_MS});`;
  new Worker(watch, { eval: true, workerData: process.ppid }).unref();
}
