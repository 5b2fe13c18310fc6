import { type ReadWallClock, readWallClocksBy } from '../shared/rules/server-save.ts';

/** By what the server's Node has, and browsers of today have not: the tables of all languages, a twentieth of a start, are not read for it. */
export const wallClockByTemporal: ReadWallClock = (at, zone) => {
  const time = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return { date: time.toPlainDate().toString(), hour: time.hour, minute: time.minute };
};

readWallClocksBy(wallClockByTemporal);
