import { BUILD_HEADER, buildOf } from '../../../../shared/build.ts';
import { askPublic, type PublicAnswer } from '../ask.ts';
import { check, type Found } from '../finding.ts';
import type { Patient } from '../patient.ts';
import { goLive } from '../talk.ts';

/** A board's settings tell the server's time: older ones were kept by somebody in between. In milliseconds. */
const FRESH_MS = 120_000;

type Answered = Extract<PublicAnswer, { status: number }>;

const isMoved = (status: number): boolean => status >= 300 && status < 400;

/** What the public address answers to a call of the API. */
export const address = check('address', async (patient): Promise<Found<'address'>> => {
  const url = patient.env.PUBLIC_URL;
  if (!url) return { finding: 'unset' };
  const answer = await patient.answer(url);
  if ('failure' in answer) return { finding: answer.failure, params: { url, host: new URL(url).host, reason: answer.reason } };
  return judged(answer, url, patient);
});

function judged(answer: Answered, url: string, patient: Patient): Found<'address'> {
  const { status, headers, body } = answer;
  const params = { url, status };
  const said = parsed(body);
  if (isMoved(status)) return { finding: 'redirect', params: { url, to: headers.location ?? '' } };
  if (said?.code === 'request.otherHost') return { finding: 'otherHost', params };
  if (status !== 200) return { finding: 'status', params };
  const time = typeof said?.server_time === 'string' ? Date.parse(said.server_time) : Number.NaN;
  if (Number.isNaN(time)) return { finding: 'stranger', params };
  if (Number(headers.age ?? 0) > 0 || patient.now().getTime() - time > FRESH_MS) return { finding: 'kept', params };
  const [theirs, ours] = [headers[BUILD_HEADER.toLowerCase()] ?? '', patient.build() ?? ''];
  if (theirs !== ours) return { finding: 'otherBuild', params: { url, theirs, ours } };
  return { finding: 'ok', params: { url, ms: answer.answered_at - answer.asked_at } };
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The page that a browser is given there. */
export const page = check('page', async (patient) => {
  const url = patient.env.PUBLIC_URL;
  if (!url) return { finding: 'unset' };
  const answer = await askPublic(url, '/', patient.patience_ms);
  if ('failure' in answer) return { finding: 'status', params: { url, status: answer.reason || answer.failure } };
  if (answer.status !== 200) return { finding: 'status', params: { url, status: answer.status } };
  const [theirs, ours] = [buildOf(answer.body), patient.build()];
  if (theirs === null) return { finding: 'stranger', params: { url } };
  if (theirs !== ours) return { finding: 'otherBuild', params: { url, theirs, ours: ours ?? '' } };
  return { finding: 'ok', params: { url } };
});

/** The live connection: the upgrade, and what is said over it both ways. */
export const live = check(
  'live',
  async (patient) => {
    const url = patient.env.PUBLIC_URL;
    if (!url) return { finding: 'unset' };
    const { params = {}, ...found } = await goLive(url, patient);
    return { ...found, params: { url, ...params } };
  },
  { within_s: 40 },
);
