import { type ZodType, z } from 'zod';
import { ask } from './poster.ts';
import { commandTogether, pollTwice, submitAlone, submitOne, submitTogether } from './submit.ts';
import {
  type Crowd,
  closeCrowd,
  comeBack,
  type Following,
  follow,
  openCrowd,
  tellAll,
} from './watchers.ts';

/** A task of the load generator, with the shapes of its input and answer. */
export interface Job<Input, Answer> {
  name: string;
  input: ZodType<Input>;
  answer: ZodType<Answer>;
  run: (input: Input) => Promise<Answer>;
}

function job<Input, Answer>(
  name: string,
  input: ZodType<Input>,
  answer: ZodType<Answer>,
  run: (input: Input) => Promise<Answer>,
): Job<Input, Answer> {
  return { name, input, answer, run };
}

const crowds = new Map<string, Crowd>();

function crowd(url: string): Crowd {
  const found = crowds.get(url);
  if (!found) throw new Error(`nobody watches ${url}`);
  return found;
}

async function keep(arriving: Promise<Crowd>): Promise<{ ms: number; resets: number }> {
  const since = performance.now();
  const arrived = await arriving;
  const ms = performance.now() - since;
  crowds.set(arrived.url, arrived);
  return { ms, resets: arrived.resets };
}

const url = z.string();
const number = z.number();
const guild = z.object({ today: z.string(), spots: number });
const submissions = z.object({ url, guild, lane: z.enum(['event', 'no event']), from: number });
const arrived = z.object({ ms: number, resets: number });
const clock = z.number().nullable();

export const submitTogetherJob = job(
  'submit together',
  submissions.extend({ seconds: number }),
  z.object({ per_second: number, p99_ms: number, next: number }),
  submitTogether,
);
export const commandTogetherJob = job(
  'command together',
  submissions.extend({ seconds: number, private_key: z.string() }),
  z.object({ p99_ms: number, next: number }),
  commandTogether,
);
export const submitAloneJob = job(
  'submit alone',
  submissions.extend({ count: number }),
  z.object({ ms: number }),
  submitAlone,
);
const pollCost = z.object({ requests: number, wire_bytes: number });
export const pollJob = job(
  'poll',
  z.object({ url, key: z.string() }),
  z.object({ changed: pollCost, unchanged: pollCost }),
  pollTwice,
);
/** One request; `text`: the start of the response. */
export const askJob = job(
  'ask',
  z.object({
    url,
    method: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
  z.object({ status: number, bytes: number, ms: number, text: z.string() }),
  async ({ url, method = 'GET', headers = {}, body }) => {
    const {
      status,
      body: answered,
      ms,
    } = await ask(url, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status, bytes: answered.length, ms, text: answered.toString('utf8', 0, SHORT) };
  },
);
const SHORT = 2_000;
/** Opens watchers that sync from a clock; `connected`: they don't sync. */
export const openJob = job(
  'open',
  z.object({ url, count: number, sync: z.union([clock, z.literal('connected')]) }),
  arrived,
  ({ url, count, sync }) => keep(openCrowd(url, count, sync)),
);
export const comeBackJob = job(
  'come back',
  z.object({ url, count: number, clock: number }),
  arrived,
  ({ url, count, clock }) => keep(comeBack(url, count, clock)),
);
export const tellAllJob = job(
  'tell all',
  submissions.extend({ syncing: number }),
  z.object({ answered_ms: number, last_ms: number, bytes: number }),
  ({ syncing, ...submission }) =>
    tellAll(crowd(submission.url), () => submitOne(submission), syncing),
);
const followings = new Map<string, Following>();
/** Follows the clocks of all watchers from now on. */
export const followJob = job('follow', z.object({ url }), z.object({}), async ({ url }) => {
  followings.set(url, follow(crowd(url)));
  return {};
});
/** Answers when all watchers have reached a clock. */
export const reachedJob = job(
  'reached',
  z.object({ url, clock: number }),
  z.object({ gone: number, gaps: number, messages: number, at: number }),
  async ({ url, clock }) => {
    const following = followings.get(url);
    if (!following) throw new Error(`nobody follows ${url}`);
    return following.reached(clock);
  },
);
export const closeJob = job('close', z.object({ url }), z.object({}), async ({ url }) => {
  const closing = crowd(url);
  crowds.delete(url);
  await closeCrowd(closing);
  return {};
});

const answering = <Input, Answer>({
  name,
  input,
  run,
}: Job<Input, Answer>): [string, (sent: unknown) => Promise<unknown>] => [
  name,
  async (sent) => run(input.parse(sent)),
];

/** All tasks, by name. */
export const jobs: ReadonlyMap<string, (sent: unknown) => Promise<unknown>> = new Map([
  answering(submitTogetherJob),
  answering(commandTogetherJob),
  answering(submitAloneJob),
  answering(pollJob),
  answering(askJob),
  answering(openJob),
  answering(comeBackJob),
  answering(tellAllJob),
  answering(followJob),
  answering(reachedJob),
  answering(closeJob),
]);
