import { type ReadWallClock, readWallClocksBy, wallClockByIntl } from '../../../shared/rules/server-save.ts';

/** By what the server's Node has, and browsers of today have not: the tables of all languages, a twentieth of a start, are not read for it. */
export const wallClockByTemporal: ReadWallClock = (at, zone) => {
  const time = zonedTime(at, zone);
  // Old names such as PST are in those tables alone, and may stand in settings, or be stored.
  if (!time) return wallClockByIntl(at, zone);
  return { date: time.toPlainDate().toString(), hour: time.hour, minute: time.minute };
};

function zonedTime(at: Date, zone: string): Temporal.ZonedDateTime | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  } catch {
    return null;
  }
}

readWallClocksBy(wallClockByTemporal);
