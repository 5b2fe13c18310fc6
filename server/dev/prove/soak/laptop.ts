import { serverNow, useServerSaveClock } from '../../../../client/state/clock.ts';
import { serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { Broken } from '../simulate/broken.ts';
import { momentAt } from '../simulate/moment.ts';
import type { Place } from '../simulate/place.ts';
import type { Watching } from '../simulate/watchers.ts';

/** The computer that the page is open on: what its clock shows, its sleep and its network. */
export class Laptop {
  readonly #place: Place;
  readonly #page: Watching;
  /** What its clock is ahead of the server's, in milliseconds. */
  ahead_ms = 0;

  constructor(place: Place, page: Watching) {
    this.#place = place;
    this.#page = page;
  }

  now = (): number => this.#place.now + this.ahead_ms;

  /** Nothing arrives any more, without notice; data under way is lost. */
  loseNetwork(): void {
    this.#page.hold(true);
  }

  /** A connection from before stays silent: a router has forgotten it. */
  findNetwork(): void {
    const line = this.#page.line();
    this.#page.hold(false);
    if (line) line.isHeld = true;
  }

  /** The browser's event when the network is back. */
  sayOnline(): void {
    window.dispatchEvent(new Event('online'));
  }

  /** @throws Broken when the page does not have the board within so many seconds */
  async mustCatchUp(within: number, after: string): Promise<void> {
    for (let left = within; left > 0; left -= 1) {
      if (this.#page.board()?.clock === this.#place.clock()) return;
      await this.#place.wait(1);
    }
    if (this.#page.board()?.clock !== this.#place.clock())
      throw new Broken(`${within} s after ${after} the page has not caught up`);
  }

  /** @throws Broken when the page goes by another date or hour than the server */
  assertRightTime(when: string): void {
    const { date, hour } = serverSaveTime(serverNow(), useServerSaveClock.getState());
    const right = momentAt(this.#place.now);
    if (date === right.today && hour === right.hour) return;
    throw new Broken(
      `${when} the page says SS+${hour} of ${date} instead of SS+${right.hour} of ${right.today}`,
    );
  }
}
