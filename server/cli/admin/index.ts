import { settingsFileOf } from '../../env.ts';
import { adminCommand } from './command.ts';

const { argv, env, stdin, stdout, stderr } = process;

process.exitCode = await adminCommand({
  args: argv.slice(2),
  env,
  settingsFile: settingsFileOf(env),
  stdin,
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
});
