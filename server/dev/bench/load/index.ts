import { z } from 'zod';
import { jobs } from './jobs.ts';

/** The load generator: a process of its own, so that it does not share a core with the servers. */

const message = z.object({ job: z.string(), input: z.unknown() });

process.on('message', async (sent) => {
  const { job, input } = message.parse(sent);
  try {
    process.send?.({ answer: await jobs.get(job)?.(input) });
  } catch (error) {
    process.send?.({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
process.stdout.write('ready at http://localhost\n');
