import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTimeZone, wallClockByIntl } from '../../../shared/rules/server-save.ts';
import { wallClockByTemporal } from './wall-clock.ts';

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'US/Pacific', 'europe/berlin', 'EST5EDT', 'Etc/GMT+5', '+05:30'];
const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true });

it('a server reads the same wall clocks as a browser', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (zone, at) => {
      expect(wallClockByTemporal(at, zone)).toEqual(wallClockByIntl(at, zone));
    }),
    { numRuns: 500 },
  );
});

it("a zone that Temporal does not know, but a browser's tables do, is read by those: settings and members may name it", () => {
  const at = new Date('2026-11-21T18:00:00Z');
  for (const zone of ['PST', 'SystemV/EST5']) {
    expect(wallClockByTemporal(at, zone)).toEqual(wallClockByIntl(at, zone));
    expect(isTimeZone(zone)).toBe(true);
  }
});

it('a zone that there is not is refused by both', () => {
  for (const read of [wallClockByTemporal, wallClockByIntl]) expect(() => read(new Date(0), 'Europe/Thais')).toThrow(RangeError);
});
