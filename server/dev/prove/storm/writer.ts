import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { type ClaimInput, type ClaimRow, claimRow } from '../../../../shared/schemas/claim.ts';
import { type Answer, ask, type Question } from '../ask.ts';
import { Ledger } from './ledger.ts';
import { type Command, SPOTS } from './script.ts';
import { byId, hoursOfText, rowText } from './stored.ts';

type Submit = Extract<Command, { do: 'submit' }>;
/** A submission that can be sent again: with the same key it is the same one. */
export interface Submission {
  question: Question;
  /** The ids in the answer; null: unanswered. */
  ids: readonly number[] | null;
}

const submitted = z.object({ data: claimRow.array() });
const edited = z.object({ data: claimRow });

/** Sends one command after another, and records each acknowledgement before the next. Stops at the first unanswered one. */
export class Writer {
  readonly ledger = new Ledger();
  /** Of this round. */
  answered: Submission[] = [];
  unanswered: Submission | null = null;
  /** Why it stopped, in the server's words; null: it came to its end. */
  stopped: string | null = null;
  acknowledged = 0;
  /** Whether the last submission that was sent again had been stored the first time. */
  recovered = false;
  readonly #rows = new Map<number, ClaimRow[]>();
  /** By the claims that they were submitted with. */
  readonly #secondaries = new Map<number, ClaimRow>();
  readonly #keys: readonly AccessKey[];
  readonly #token: string;
  readonly #dates: readonly string[];

  constructor(keys: readonly AccessKey[], token: string, dates: readonly string[]) {
    this.#keys = keys;
    this.#token = token;
    this.#dates = dates;
  }

  async write(url: string, commands: readonly Command[], onAnswer: () => void): Promise<void> {
    this.answered = [];
    this.unanswered = null;
    this.stopped = null;
    for (const command of commands) {
      const answer = await this.#do(url, command);
      if (answer && !answer.isAnswered) {
        this.stopped = answer.why;
        return;
      }
      if (answer) onAnswer();
    }
  }

  /** Sends a submission again. @returns what is wrong with the answer */
  async repeat(url: string, submission: Submission): Promise<string[]> {
    const sent_at = new Date().toISOString();
    const answer = await ask(url, submission.question);
    if (!answer.isAnswered) return [`a repeated submission was not answered: ${answer.why}`];
    if (submission.ids === null) {
      const made = answer.status === 201 ? this.#made(answer.body) : [];
      this.recovered = made.some(
        (id) => (this.#rows.get(id)?.[0]?.created_at ?? sent_at) < sent_at,
      );
      return [];
    }
    const parsed = submitted.safeParse(answer.body);
    const ids = parsed.success ? parsed.data.data.map((row) => row.id) : [];
    const same = answer.status === 201 && ids.join() === submission.ids.join();
    return same
      ? []
      : [
          `claims ${submission.ids.join()} were sent again and answered ${answer.status} ${ids.join()}`,
        ];
  }

  /** null: there was nothing to do it to. */
  async #do(url: string, command: Command): Promise<Answer | null> {
    if (command.do === 'submit') return this.#submit(url, command);
    const ids = [...this.ledger.held.keys()];
    const id = ids[command.nth % Math.max(ids.length, 1)];
    if (id === undefined) return null;
    const headers = { Authorization: `Bearer ${this.#token}` };
    if (command.do === 'delete') {
      const answer = await ask(url, { method: 'DELETE', path: `/admin/claims/${id}`, headers });
      if (!answer.isAnswered) this.ledger.maybeDeleted(id);
      else if (answer.status === 200) this.ledger.deleted(id);
      if (answer.isAnswered && answer.status === 200) this.acknowledged += 1;
      return answer;
    }
    const times = { hour_start: command.hour, hour_end: command.hour + command.length };
    const answer = await ask(url, {
      method: 'PUT',
      path: `/claims/admin/${id}`,
      headers,
      body: times,
    });
    const after = (this.#rows.get(id) ?? []).map((row) => ({ ...row, ...times }));
    const followed = this.#following(id, command.length);
    if (!answer.isAnswered)
      this.ledger.maybeEdited(new Map([[id, after.map(rowText)], ...followed]));
    else if (answer.status === 200) {
      const { data } = edited.parse(answer.body);
      this.#rows.set(id, [data]);
      this.ledger.edited(id, [rowText(data)]);
      for (const [secondary, rows] of followed) this.ledger.edited(secondary, rows);
      this.acknowledged += 1;
    }
    return answer;
  }

  /** The secondary claim of a claim whose length changes (R5.7). */
  #following(id: number, length: number): Map<number, string[]> {
    const secondary = this.#secondaries.get(id);
    const [its] = (secondary && this.ledger.held.get(secondary.id)) ?? [];
    const [before] = this.ledger.held.get(id) ?? [];
    if (!secondary || its === undefined || before === undefined) return new Map();
    const [start, end] = hoursOfText(before);
    if (end - start === length) return new Map();
    const [hour_start] = hoursOfText(its);
    return new Map([
      [
        secondary.id,
        [rowText({ ...secondary, hour_start, hour_end: Math.min(hour_start + length, 24) })],
      ],
    ]);
  }

  async #submit(url: string, command: Submit): Promise<Answer> {
    const key = this.#keys[command.character];
    if (!key) throw new Error('a character');
    const body = {
      claims: claimsOf(command, key.character_name, this.#dates),
      access_key: key.key_value,
    };
    const question: Question = {
      method: 'POST',
      path: '/claims',
      headers: { 'Idempotency-Key': randomUUID() },
      body,
    };
    const answer = await ask(url, question);
    if (!answer.isAnswered) this.unanswered = { question, ids: null };
    else if (answer.status === 201) this.answered.push({ question, ids: this.#made(answer.body) });
    return answer;
  }

  #made(body: unknown): number[] {
    const { data } = submitted.parse(body);
    this.acknowledged += 1;
    this.ledger.made(byId(data));
    for (const row of data) {
      this.#rows.set(row.id, [...(this.#rows.get(row.id) ?? []), row]);
      const primary =
        row.is_secondary_claim &&
        data.find(({ is_secondary_claim, date }) => !is_secondary_claim && date === row.date);
      if (primary) this.#secondaries.set(primary.id, row);
    }
    return data.map((row) => row.id);
  }
}

/** The claims as the form would send them: one a date, the first one split or with a secondary one beside it. */
function claimsOf(
  { spot, dates, hour, length, shape }: Submit,
  character_name: string,
  days: readonly string[],
): Partial<ClaimInput>[] {
  const respawn_id = spot + 1;
  const other = ((spot + 1) % SPOTS) + 1;
  const whole = dates.map((at) => ({
    respawn_id,
    character_name,
    date: days[at] ?? null,
    hour_start: hour,
    hour_end: hour + length,
  }));
  const [first, ...rest] = whole;
  if (!first || shape === 'whole') return whole;
  if (shape === 'secondary') {
    return [
      ...whole,
      { ...first, respawn_id: other, hour_start: (hour + 3) % 24, is_secondary_claim: 1 },
    ];
  }
  const split_parts = [
    { part_number: 1, respawn_id, hour_start: hour, duration: 1 },
    { part_number: 2, respawn_id: other, hour_start: (hour + 2) % 24, duration: 2 },
  ];
  return [{ ...first, is_split_claim: 1, split_parts }, ...rest];
}
