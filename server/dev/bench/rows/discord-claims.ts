import { generateKeyPairSync } from 'node:crypto';
import { linkMembers } from '../guild.ts';
import { commandTogetherJob, submitTogetherJob } from '../load/jobs.ts';
import { measureAlternately } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Bench } from '../what-rows-use.ts';

/** Discord waits 3 s for an answer; a member should not. */
const MAX_P99_MS = 500;
/** Each command checks a signature, stores its id in a commit of its own, and reads the board. */
const MAX_RATIO = 5;
/** In seconds; for longer, members would send more than ten commands in ten seconds. */
const MAX_SECONDS = 2;

async function measure({ load, sizes, ...bench }: Bench): Promise<Row[]> {
  const few = await bench.few();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await few.stop();
  linkMembers(
    few.guild,
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
  );
  const private_key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const seconds = Math.min(sizes.seconds, MAX_SECONDS);
  const [rest = 0, value = 0] = await measureAlternately(
    sizes.repeats,
    async () => {
      const submissions = await few.take('event', 0);
      const { next, p99_ms } = await load.run(submitTogetherJob, { ...submissions, seconds });
      await few.take('event', next - submissions.from);
      return p99_ms;
    },
    async () => {
      const submissions = await few.take('event', 0);
      const { next, p99_ms } = await load.run(commandTogetherJob, {
        ...submissions,
        seconds,
        private_key,
      });
      await few.take('event', next - submissions.from);
      return p99_ms;
    },
  );
  return [
    rowOf({
      what: '/claim in Discord, 20 clients: the 99th percentile',
      unit: 'ms',
      value,
      beside: { value: rest, is: 'the same claims by REST' },
      reach: { value: { at: 'most', be: MAX_P99_MS }, ratio: { at: 'most', be: MAX_RATIO } },
    }),
  ];
}

export const discordClaims = { what: '/claim of 20 clients in Discord', measure };
