import { settingsFileOf } from '../env.ts';
import { notifyingJobsOf } from '../feature.ts';
import { features } from '../features.ts';
import { backupCommand } from '../ops/backup/command.ts';

const { argv, env, stdout, stderr } = process;

const interrupted = new AbortController();
// Removes the unfinished file before exiting.
if (argv[2] === 'backup')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort());

process.exitCode = await backupCommand({
  args: argv.slice(2),
  env,
  settingsFile: settingsFileOf(env),
  notifyingJobs: notifyingJobsOf(features),
  out: stdout,
  err: stderr,
  signal: interrupted.signal,
});
