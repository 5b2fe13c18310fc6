import { z } from 'zod';
import { jobs } from './jobs.ts';

/** The third process: it asks the server that is measured and the one beside it, so that neither shares its core with the asking. */

const message = z.object({ job: z.string(), asked: z.unknown() });

process.on('message', async (sent) => {
  const { job, asked } = message.parse(sent);
  try {
    process.send?.({ answer: await jobs.get(job)?.(asked) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.stdout.write('ready at http://localhost\n');
