import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { claimInput } from '../../shared/schemas/claim.ts';
import { createAccessKey } from '../access-keys/operations.ts';
import { submitClaims } from '../claims/submit.ts';
import { createContext } from '../context.ts';
import { readEnv } from '../env.ts';
import { fillEmptyDatabase } from '../seed/fill-empty-database.ts';
import { serve } from '../server.ts';
import { fillLargeGuild, type GuildSize } from './large-guild.ts';
import { measureScreen, openBrowser, type ScreenFigures } from './screen-measures.ts';
import { measureServer, type ServerFigures } from './server-measures.ts';

/** `npm run bench`: a board of 25,000 claims against one of a thousand, in the same run on the same machine. */

const BASELINE: GuildSize = { spots: 84, days: 14, claims_a_day: 1 };
const LARGE: GuildSize = { spots: 300, days: 14, claims_a_day: 6 };

type Figures = ServerFigures & ScreenFigures & { claims: number };

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function measure(size: GuildSize): Promise<Figures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-bench-'));
  const env = readEnv({ DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', ADMIN_PASSWORD: 'bench-password' });
  const ctx = await createContext({ env, log: pino({ level: 'error' }) });
  await fillEmptyDatabase(ctx);
  const guild = await fillLargeGuild(ctx, size);
  const server = await serve(ctx);
  const url = `http://127.0.0.1:${server.port}`;
  const browser = await openBrowser();
  try {
    const figures = await measureServer(ctx, url, guild);
    const admin = { role: 'admin', admin_id: 1, username: 'bench', token_hash: '' } as const;
    const viewer = await createAccessKey(ctx, admin, { characterName: 'Bench Viewer', memberType: 'member' });
    let claimant = 0;
    // On the last dates: the first ones were taken by the server's measures.
    const claim = async (): Promise<void> => {
      const characterName = `Late Hunter ${claimant}`;
      const { key_value: access_key } = await createAccessKey(ctx, admin, { characterName, memberType: 'member' });
      const respawn_id = guild.free_spots[claimant++];
      const date = guild.dates.at(-1);
      if (respawn_id === undefined || date === undefined) throw new Error('the bench ran out of free hours');
      const asked = claimInput.parse({ respawn_id, character_name: characterName, date, hour_start: 20, hour_end: 24 });
      await submitClaims(ctx, { role: 'member', access_key }, { claims: [asked] });
    };
    return { claims: guild.claims, ...figures, ...(await measureScreen(browser, url, viewer.key_value, claim)) };
  } finally {
    await browser.close();
    await server.stop();
    await ctx.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const ROWS: readonly (readonly [keyof Figures, string])[] = [
  ['claims', 'claims on the board'],
  ['submit', 'ms, a submission until its answer (median)'],
  ['push', 'ms, a submission until a watcher has it (median)'],
  ['push_to_last_of_50', 'ms, a submission until the last of 50 watchers has it (median)'],
  ['change_bytes', 'bytes that one claim sends to each watcher'],
  ['snapshot', 'ms, a whole board to a watcher'],
  ['snapshot_bytes', 'bytes of a whole board'],
  ['unchanged_a_second', 'refreshes a second of an unchanged board'],
  ['whole_a_second', 'whole boards a second over REST'],
  ['first_card', 'ms, the data’s arrival until the first card'],
  ['usable', 'ms, the data’s arrival until the page rests'],
  ['longest_scroll_task', 'ms, longest task while scrolling (0: none over 50)'],
  ['cards_a_change', 'cards that one live change touches'],
];

say('A small board, as the baseline …');
const baseline = await measure(BASELINE);
say('The large board …');
const large = await measure(LARGE);
const round = (figure: number): string => (figure >= 100 ? figure.toFixed(0) : figure.toFixed(1));
say(`\n${'small'.padStart(10)}${'large'.padStart(12)}${'ratio'.padStart(9)}`);
for (const [name, unit] of ROWS) {
  const [small, big] = [baseline[name], large[name]];
  const ratio = small === 0 ? '–' : (big / small).toFixed(2);
  say(`${round(small).padStart(10)}${round(big).padStart(12)}${ratio.padStart(9)}  ${unit}`);
}
