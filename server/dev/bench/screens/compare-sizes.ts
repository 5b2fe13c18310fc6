import { claimInput } from '../../../../shared/schemas/claim.ts';
import { submitClaims } from '../../../board/claims/submit.ts';
import { createAccessKey } from '../../../members/access-keys.ts';
import { fillLargeGuild, type GuildSize } from './large-guild.ts';
import { measureScreen, openBrowser, type ScreenFigures } from './screen-measures.ts';
import { measureServer, type ServerFigures } from './server-measures.ts';
import { BENCH_ADMIN, withServer } from './with-server.ts';

const BASELINE: GuildSize = { spots: 84, days: 14, claims_a_day: 1 };
const LARGE: GuildSize = { spots: 300, days: 14, claims_a_day: 6 };

type Figures = ServerFigures & ScreenFigures & { claims: number };

const measure = (size: GuildSize): Promise<Figures> =>
  withServer(
    (ctx) => fillLargeGuild(ctx, size),
    async (ctx, url, guild) => {
      const figures = await measureServer(ctx, url, guild);
      const { key_value } = await createAccessKey(ctx, BENCH_ADMIN, {
        characterName: 'Bench Viewer',
        memberType: 'member',
      });
      let claimant = 0;
      // On the last date: the server's measurements use the first ones.
      const claim = async (): Promise<void> => {
        const characterName = `Late Hunter ${claimant}`;
        const { key_value: access_key } = await createAccessKey(ctx, BENCH_ADMIN, {
          characterName,
          memberType: 'member',
        });
        const respawn_id = guild.free_spots[claimant++];
        const date = guild.dates.at(-1);
        if (respawn_id === undefined || date === undefined)
          throw new Error('the bench ran out of free hours');
        const input = claimInput.parse({
          respawn_id,
          character_name: characterName,
          date,
          hour_start: 20,
          hour_end: 24,
        });
        await submitClaims(ctx, { role: 'member', access_key }, { claims: [input] });
      };
      const browser = await openBrowser();
      try {
        return {
          claims: guild.claims,
          ...figures,
          ...(await measureScreen(browser, url, key_value, claim)),
        };
      } finally {
        await browser.close();
      }
    },
  );

const ROWS: readonly (readonly [keyof Figures, string])[] = [
  ['claims', 'claims on the board'],
  ['submit', 'ms, a submission until its answer (median)'],
  ['push', 'ms, a submission until a watcher has it (median)'],
  ['push_to_last_of_50', 'ms, a submission until the last of 50 watchers has it (median)'],
  ['change_bytes', 'bytes that one claim sends to each watcher'],
  ['snapshot', 'ms, a whole board to a watcher'],
  ['snapshot_bytes', 'bytes of a whole board'],
  ['first_card', 'ms, the data’s arrival until the first card'],
  ['usable', 'ms, the data’s arrival until the page rests'],
  ['longest_scroll_task', 'ms, longest task while scrolling (0: none over 50)'],
  ['longest_timeline_task', 'ms, longest task while the timeline scrolls'],
  ['cards_a_change', 'cards that one live change touches'],
];

const round = (figure: number): string => (figure >= 100 ? figure.toFixed(0) : figure.toFixed(1));

/** Compares a board of 25,000 claims with one of 1,000 in the same run. */
export async function compareSizes(say: (line: string) => void): Promise<void> {
  say('A small board, as the baseline …');
  const baseline = await measure(BASELINE);
  say('The large board …');
  const large = await measure(LARGE);
  say(`\n${'small'.padStart(10)}${'large'.padStart(12)}${'ratio'.padStart(9)}`);
  for (const [name, unit] of ROWS) {
    const small = baseline[name];
    const big = large[name];
    const ratio = small === 0 ? '–' : (big / small).toFixed(2);
    say(`${round(small).padStart(10)}${round(big).padStart(12)}${ratio.padStart(9)}  ${unit}`);
  }
}
