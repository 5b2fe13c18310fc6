import { submitTogetherJob } from '../load/jobs.ts';
import type { Program } from '../program.ts';
import { median } from '../repeat.ts';
import { type Row, rowOf } from '../row.ts';
import type { Stand } from '../stand.ts';
import type { Bench } from '../what-rows-use.ts';

interface Figures {
  per_second: number;
  p99_ms: number;
}

/** The path that both servers have: the bare one commits any body. */
async function together({ load, sizes }: Bench, stand: Stand, instead?: Program): Promise<Figures> {
  const submissions = await stand.take('event', 0);
  const { next, ...figures } = await load.run(submitTogetherJob, {
    ...submissions,
    url: instead?.url ?? submissions.url,
    seconds: sizes.seconds,
  });
  if (!instead) await stand.take('event', next - submissions.from);
  return figures;
}

async function measure(bench: Bench): Promise<Row[]> {
  const few = await bench.few();
  const many = await bench.many();
  const bare = await bench.bare();
  const taken: Record<'bare' | 'few' | 'many', Figures[]> = { bare: [], few: [], many: [] };
  for (let time = 0; time < bench.sizes.repeats; time++) {
    taken.bare.push(await together(bench, few, bare));
    taken.few.push(await together(bench, few));
    taken.many.push(await together(bench, many));
  }
  const of = (name: keyof typeof taken, figure: keyof Figures): number =>
    median(taken[name].map((each) => each[figure]));
  const perSecond = (name: keyof typeof taken): number => of(name, 'per_second');
  return [
    rowOf({
      what: 'durable submissions, 20 clients',
      unit: 'a second',
      value: perSecond('few'),
      beside: { value: perSecond('bare'), is: 'bare Express and better-sqlite3' },
      reach: { ratio: { at: 'least', be: 0.3 }, value: { at: 'least', be: 1_200 } },
    }),
    rowOf({
      what: 'the 99th percentile of them',
      unit: 'ms',
      value: of('few', 'p99_ms'),
      beside: { value: of('bare', 'p99_ms'), is: 'bare Express and better-sqlite3' },
      reach: { value: { at: 'most', be: 50 } },
    }),
    rowOf({
      what: `the same with ${bench.sizes.many.toLocaleString('en')} claims of history`,
      unit: 'a second',
      value: perSecond('many'),
      beside: {
        value: perSecond('few'),
        is: `itself with ${bench.sizes.few.toLocaleString('en')}`,
      },
      // At most 1.2 times the duration.
      reach: { ratio: { at: 'least', be: 0.83 } },
    }),
  ];
}

export const submissions = { what: 'submissions of 20 clients', measure };
