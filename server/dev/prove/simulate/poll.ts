import { Broken } from './broken.ts';
import { mayEnter } from './model.ts';
import type { Place } from './place.ts';

/** Asks for the board as a page without a live connection does. */
export class Poll {
  readonly #place: Place;
  readonly #boards = new Map<string, string>();
  #etag = '';

  constructor(place: Place) {
    this.#place = place;
  }

  /** @throws Broken when the answer is not the board as it is */
  async ask(who: string): Promise<void> {
    const { network, model, server } = this.#place;
    const headers = { 'X-Access-Key': network.keys.get(who) ?? '' };
    const request = { method: 'GET', path: '/api/respawns' };
    const answer = await this.#place.call({
      ...request,
      headers: { ...headers, 'If-None-Match': this.#etag },
    });
    if (!answer || this.#place.isDeceived) return;
    if (!mayEnter(model, who)) {
      if (answer.status < 400) throw new Broken(`${who}, who may not, was shown the board`);
      return;
    }
    if (answer.status === 304) {
      const [row] = server.database.rows('select board_date from clock');
      // Until the server has started the new day, the board is yesterday's.
      if (row?.board_date !== this.#place.moment().today) return;
      const whole = await this.#place.call({ ...request, headers });
      if (whole?.body !== this.#boards.get(this.#etag))
        throw new Broken('told that the board is unchanged, which it is not');
      return;
    }
    if (answer.status !== 200)
      throw new Broken(`the board was answered with ${answer.status} ${answer.body}`);
    this.#etag = answer.headers.etag ?? '';
    this.#boards.set(this.#etag, answer.body);
  }
}
