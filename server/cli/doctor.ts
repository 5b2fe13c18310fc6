import { settingsFileOf } from '../env.ts';
import { notifyingJobsOf } from '../feature.ts';
import { features } from '../features.ts';
import { doctorCommand } from '../ops/doctor/command.ts';

const { argv, env, stdout, stderr } = process;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interrupted.abort());

process.exitCode = await doctorCommand({
  args: argv.slice(2),
  env,
  settingsFile: settingsFileOf(env),
  notifyingJobs: notifyingJobsOf(features),
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  signal: interrupted.signal,
});
