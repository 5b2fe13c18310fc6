/** The members' actions and expectations in scenario.yml. artillery loads this file and counts failures as errors in its report. */

import { setTimeout as pauseFor } from 'node:timers/promises';
import { applyChangeSet, boardFromSnapshot, changeSetsIn } from '../../../../shared/live.ts';

/**
 * @typedef {import('../../../../shared/live.ts').ChangeSet} ChangeSet
 * @typedef {import('../../../../shared/live.ts').Board} Board
 * @typedef {import('../../../../shared/live.ts').SyncAnswer} SyncAnswer
 * @typedef {import('socket.io-client').Socket} Socket
 * @typedef {import('node:events').EventEmitter} Events
 * @typedef {{ character: string, key: string, api: string, clock: number, answer?: SyncAnswer, choices: object[] }} Vars
 * @typedef {{ vars: Vars, sockets: Record<string, Socket> }} Context
 * @typedef {{ url: string, json?: object }} Request
 * @typedef {{ statusCode: number, body: string }} Response
 * @typedef {{ respawn_id: number, date: string, hour_start: number, hour_end: number }} Hours
 */

/** Set by load.ts: the server for requests, when the members stop to write, the dates and spots they claim, and their pauses in seconds. */
const { api, until, dates, spots, pauses } = JSON.parse(process.env.LOAD ?? '{}');

/** One in so many members applies every change to a whole board, and compares it with the server's at the end. */
const WHOLE_BOARD_EVERY = 25;
/** A member's own claim must be on the member's screen after this long, in milliseconds. */
const MAX_DELAY_MS = 15_000;
/** A member must be connected again after this long, in milliseconds. */
const MAX_RECONNECT_MS = 60_000;
/** After the last write, until every change must have arrived; an empty change set may wait 5 s. In milliseconds. */
const QUIET_MS = 15_000;
/** Pauses after the last write, in seconds. */
const LAST_PAUSES = [0, 10];
/** Failures printed; the report counts all. */
const MAX_PRINTED = 50;

/** Refusals that a member may get, by action. */
const EXPECTED = {
  claim: ['claim.timeConflict', 'claim.characterHasClaim', 'hold.taken', 'hold.isYours'],
  wait: [
    'hold.isYours',
    'wait.nothingTaken',
    'wait.tooMany',
    'wait.tooOften',
    'wait.lineFull',
    'wait.hasClaim',
    'wait.exists',
  ],
  accept: ['wait.notOffered', 'wait.notOpen', 'wait.notFound', 'claim.characterHasClaim'],
  release: ['claim.notFound'],
};

/** One member's view of the live connection. */
class Watcher {
  /** The clock of the last change set that was taken. */
  clock = -1;
  /** Change sets that arrive before the answer to `sync`; null: no `sync` is pending. @type {ChangeSet[] | null} */
  waiting = [];
  /** For one in WHOLE_BOARD_EVERY. @type {Board | null} */
  board = null;
  /** The clock of the last change set with a change. */
  changed_at = -1;
  /** Whether the member left on purpose. */
  isAway = false;
  /** Own claims that were acknowledged and are not on the screen yet, by id, with the time. @type {Map<number, number>} */
  expected = new Map();
  /** Own claims on the screen before their acknowledgement. @type {Set<number>} */
  early = new Set();
  /** Own waitlist entries with held hours. @type {Set<number>} */
  offers = new Set();
  /** Own claims. @type {Set<number>} */
  claims = new Set();
  /** @type {Events} */ events;
  /** @type {string} */ character;

  /** @param {string} character @param {Events} events */
  constructor(character, events) {
    this.character = character;
    this.events = events;
  }

  /** @param {readonly ChangeSet[]} sets */
  take(sets) {
    for (const set of sets) {
      if (this.waiting) this.waiting.push(set);
      else if (set.clock > this.clock) this.apply(set);
    }
  }

  /** @param {ChangeSet} set */
  apply(set) {
    count(this.events, 'load.change_sets');
    if (set.clock !== this.clock + 1)
      fail(this.events, 'gap', `${this.character} got clock ${set.clock} after ${this.clock}`);
    if (this.board) {
      const after = applyChangeSet({ ...this.board, clock: set.clock - 1 }, set);
      if (typeof after === 'string')
        fail(this.events, 'reset', `${this.character} cannot apply clock ${set.clock}: ${after}`);
      else this.board = after;
    }
    if (set.changes.length > 0) this.changed_at = set.clock;
    this.clock = set.clock;
    for (const change of set.changes) {
      if (
        change.op === 'put' &&
        change.kind === 'wait' &&
        change.record.character_name === this.character
      ) {
        if (change.record.status === 'offered') this.offers.add(change.record.id);
        else this.offers.delete(change.record.id);
      }
      if (
        change.op === 'put' &&
        change.kind === 'claim' &&
        change.record.character_name === this.character &&
        !change.record.is_held
      ) {
        this.seeClaim(change.record.id);
      }
      if (change.op === 'remove' && change.kind === 'wait') this.offers.delete(Number(change.id));
      if (change.op === 'remove' && change.kind === 'claim') this.claims.delete(Number(change.id));
    }
  }

  /** @param {number} id */
  seeClaim(id) {
    const at = this.expected.get(id);
    if (at === undefined) this.early.add(id);
    else this.onScreen(id, performance.now() - at);
  }

  /** @param {number} id @param {number} ms after the acknowledgement */
  onScreen(id, ms) {
    this.expected.delete(id);
    this.events.emit('histogram', 'load.own_claim_on_screen_ms', ms);
    if (ms > MAX_DELAY_MS)
      fail(
        this.events,
        'late',
        `${this.character} saw claim ${id} ${Math.round(ms)} ms after its acknowledgement`,
      );
  }

  /** @param {number} id */
  acknowledged(id) {
    this.claims.add(id);
    if (this.early.delete(id)) this.onScreen(id, 0);
    else this.expected.set(id, performance.now());
  }
}

/** @type {WeakMap<Vars, Watcher>} */
const watchers = new WeakMap();
/** @param {Context} context @returns {Watcher} */
function watcherOf({ vars }) {
  const watcher = watchers.get(vars);
  if (!watcher) throw new Error('beginToWatch comes first');
  return watcher;
}

let begun = 0;
let printed = 0;
/** Recently claimed hours, whose waitlists others join. @type {Hours[]} */
const taken = [];
const MAX_TAKEN = 200;

/** @param {Events} events @param {string} name */
const count = (events, name) => events.emit('counter', name, 1);

/** @param {Events} events @param {string} what @param {string} details */
function fail(events, what, details) {
  events.emit('error', `load: ${what}`);
  printed += 1;
  if (printed <= MAX_PRINTED) process.stderr.write(`load: ${what}: ${details}\n`);
}

/** @template T @param {readonly T[]} list @returns {T} */
const oneOf = (list) => /** @type {T} */ (list[Math.floor(Math.random() * list.length)]);

/** @param {Context} context */
const socketOf = ({ sockets }) => /** @type {Socket} */ (sockets['']);

/** @param {Context} context @param {Events} events */
export async function beginToWatch(context, events) {
  const watcher = new Watcher(context.vars.character, events);
  watchers.set(context.vars, watcher);
  context.vars.api = api;
  begun += 1;
  if (begun % WHOLE_BOARD_EVERY === 1) watcher.board = boardFromSnapshot(0, {});
  const socket = socketOf(context);
  // artillery's own listeners for the first connection fail at a later one.
  socket.off('connect_error').off('error');
  socket.on('changes', (message) => watcher.take(changeSetsIn(message)));
  socket.on('disconnect', (reason) => {
    if (watcher.isAway) return;
    watcher.waiting ??= [];
    fail(events, 'disconnected', `${watcher.character}: ${reason}`);
  });
  socket.on('connect', () => {
    if (watcher.isAway) return;
    // An unplanned reconnect, counted as a failure above: sync as a page does.
    void socket.emitWithAck('sync', watcher.clock).then((answer) => takeSync(watcher, answer));
  });
}

/** @param {Request} _request @param {Response} response @param {Context} context @param {Events} events */
export async function takeBoard(_request, { statusCode, body }, context, events) {
  if (statusCode !== 200) return fail(events, 'board', `${statusCode} ${body.slice(0, 200)}`);
  const { data } = JSON.parse(body);
  const watcher = watcherOf(context);
  watcher.clock = data.clock;
  watcher.changed_at = data.clock;
  context.vars.clock = data.clock;
  if (watcher.board) watcher.board = boardFromSnapshot(data.clock, data.snapshot);
}

/** @param {Context} context */
export async function takeAnswer(context) {
  const { answer } = context.vars;
  if (answer) takeSync(watcherOf(context), answer);
}

/** @param {Watcher} watcher @param {SyncAnswer} answer */
function takeSync(watcher, answer) {
  const { waiting } = watcher;
  watcher.waiting = null;
  if ('snapshot' in answer) {
    count(watcher.events, 'load.caught_up.snapshot');
    if (watcher.board) watcher.board = boardFromSnapshot(answer.clock, answer.snapshot);
    watcher.clock = answer.clock;
    watcher.changed_at = answer.clock;
    // Claims in the snapshot are on the screen.
    for (const { id } of answer.snapshot.claim ?? []) {
      const at = watcher.expected.get(id);
      if (at !== undefined) watcher.onScreen(id, performance.now() - at);
    }
  } else {
    count(watcher.events, 'load.caught_up.change_sets');
    for (const set of answer.change_sets) if (set.clock > watcher.clock) watcher.apply(set);
    watcher.clock = Math.max(watcher.clock, answer.clock);
  }
  watcher.take(waiting ?? []);
}

export async function pause() {
  const [least, most] = mayWrite() ? pauses : LAST_PAUSES;
  await pauseFor(1000 * (least + Math.random() * (most - least)));
}

/** @param {Context} context */
export async function chooseHours({ vars }) {
  const hour_start = Math.floor(Math.random() * 22);
  const respawn_id = 1 + Math.floor(Math.random() * spots);
  vars.choices = [{ respawn_id, date: oneOf(dates), hour_start, hour_end: hour_start + 2 }];
}

export const mayWrite = () => Date.now() < until;
/** @param {Vars} vars */
export const hasOffer = (vars) => mayWrite() && (watchers.get(vars)?.offers.size ?? 0) > 0;
/** Members release every second claim. @param {Vars} vars */
export const hasClaims = (vars) => mayWrite() && (watchers.get(vars)?.claims.size ?? 0) > 1;
/** @param {Vars} vars */
export const hasBoard = (vars) => Boolean(watchers.get(vars)?.board);

/** @param {Context} _context @param {(isSo: boolean) => void} done */
export function mayGoOn(_context, done) {
  done(Date.now() < until);
}

/** @param {Request} request @param {Context} context */
export async function claimHours(request, { vars }) {
  request.json = {
    claims: vars.choices.map((hours) => ({ ...hours, character_name: vars.character })),
  };
}

/** @param {Request} request */
export async function joinWaitlist(request) {
  const hours =
    taken.length > 0 ? oneOf(taken) : { respawn_id: 1, date: dates[0], hour_start: 0, hour_end: 1 };
  request.json = hours;
}

/** @param {Request} request @param {Context} context */
export async function acceptOffer(request, context) {
  const [id] = watcherOf(context).offers;
  request.url = request.url.replace('/0/', `/${id}/`);
  request.json = {};
}

/** @param {Request} request @param {Context} context */
export async function releaseClaim(request, context) {
  const [id] = watcherOf(context).claims;
  request.url = request.url.replace('/0/', `/${id}/`);
  request.json = {};
}

/**
 * @param {keyof typeof EXPECTED} what
 * @param {Response} response
 * @param {Events} events
 * @returns {any} the data of a success, else null
 */
function judge(what, { statusCode, body }, events) {
  const answer = JSON.parse(body);
  if (statusCode < 300) {
    count(events, `load.${what}.done`);
    return answer.data ?? {};
  }
  if (EXPECTED[what].includes(answer.code)) count(events, `load.${what}.refused.${answer.code}`);
  else fail(events, `${what} ${statusCode} ${answer.code}`, body.slice(0, 200));
  return null;
}

/** @param {Request} _request @param {Response} response @param {Context} context @param {Events} events */
export async function judgeClaim(_request, response, context, events) {
  for (const { id, respawn_id, date, hour_start, hour_end } of judge('claim', response, events) ??
    []) {
    watcherOf(context).acknowledged(id);
    taken.push({ respawn_id, date, hour_start, hour_end });
    if (taken.length > MAX_TAKEN) taken.shift();
  }
}

/** @param {Request} _request @param {Response} response @param {Context} _context @param {Events} events */
export async function judgeWait(_request, response, _context, events) {
  judge('wait', response, events);
}

/** @param {Request} _request @param {Response} response @param {Context} context @param {Events} events */
export async function judgeAccept({ url }, response, context, events) {
  judge('accept', response, events);
  watcherOf(context).offers.delete(idIn(url));
}

/** @param {Request} request @param {Response} response @param {Context} context @param {Events} events */
export async function judgeRelease({ url }, response, context, events) {
  judge('release', response, events);
  watcherOf(context).claims.delete(idIn(url));
}

/** @param {string} url */
const idIn = (url) => Number(/\/(\d+)\/\w+$/.exec(url)?.[1]);

/** Half of the members close the page for some seconds, the others lose their network. @param {Context} context @param {Events} events */
export async function loseConnection(context, events) {
  const watcher = watcherOf(context);
  const socket = socketOf(context);
  count(events, 'load.reconnects');
  watcher.isAway = true;
  watcher.waiting = [];
  const back = new Promise((resolve) => void socket.once('connect', () => resolve(true)));
  if (Math.random() < 0.5) {
    socket.disconnect();
    await pauseFor(500 + Math.random() * 3_000);
    socket.connect();
  } else socket.io.engine.close();
  // Like a page, Socket.IO tries again; beyond this it is a failure, and the next step waits for the connection.
  const isBack = await Promise.race([back, pauseFor(MAX_RECONNECT_MS, false)]);
  if (!isBack)
    fail(events, 'reconnect', `${watcher.character} is not connected after ${MAX_RECONNECT_MS} ms`);
  await back;
  watcher.isAway = false;
  context.vars.clock = watcher.clock;
}

/** Waits until every change must have arrived. @param {Context} context */
export async function settle(context) {
  await pauseFor(Math.max(0, until + QUIET_MS - Date.now()));
  context.vars.clock = watcherOf(context).clock;
  // That of an earlier sync would be judged if this one gets none.
  delete context.vars.answer;
}

/** @param {Context} context @param {Events} events */
export async function judgeEnd(context, events) {
  const watcher = watcherOf(context);
  const { answer } = context.vars;
  const isMissing =
    answer &&
    ('snapshot' in answer || answer.change_sets.some(({ changes }) => changes.length > 0));
  count(events, 'load.ends');
  // artillery disconnects it next.
  watcher.isAway = true;
  if (isMissing)
    fail(events, 'missing', `${watcher.character} lacks changes after clock ${context.vars.clock}`);
  for (const id of watcher.expected.keys())
    fail(events, 'unseen', `${watcher.character} never saw claim ${id}`);
}

/** @param {Request} _request @param {Response} response @param {Context} context @param {Events} events */
export async function compareBoards(_request, { statusCode, body }, context, events) {
  const { board, character, changed_at } = watcherOf(context);
  if (statusCode !== 200 || !board)
    return fail(events, 'board', `${statusCode} ${body.slice(0, 200)}`);
  const { data } = JSON.parse(body);
  count(events, 'load.boards_compared');
  const theirs = boardFromSnapshot(data.clock, data.snapshot);
  const kinds = /** @type {(keyof typeof theirs.byKind)[]} */ (Object.keys(data.snapshot));
  for (const kind of kinds) {
    if (textOf(board.byKind[kind]) === textOf(theirs.byKind[kind])) continue;
    fail(
      events,
      'board',
      `${character}'s ${kind} records at ${changed_at} differ from the server's at ${data.clock}`,
    );
  }
}

/** @param {{ values: () => Iterable<object> }} table */
const textOf = (table) =>
  Array.from(table.values(), (record) => JSON.stringify(record))
    .sort()
    .join();
