import { adminCommand } from './command.ts';

const { argv, env, stdin, stdout, stderr } = process;

process.exitCode = await adminCommand({
  args: argv.slice(2),
  env,
  stdin,
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
});
