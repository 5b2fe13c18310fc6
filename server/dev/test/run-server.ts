import { onTestFinished } from 'vitest';
import { type ServerProcess, startServer } from './server-process.ts';

/** Runs the real program with these settings and no others, until the test has finished. */
export function runServer(settings: Record<string, string>): ServerProcess {
  const server = startServer(settings);
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return server;
}
