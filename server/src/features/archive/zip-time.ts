/** The time of an entry in the two forms of a ZIP. */
export interface ZipTime {
  /** MS-DOS date (upper 16 bits) and time (lower), local, in steps of two seconds. */
  dos: number;
  /** Seconds since 1970, UTC, signed 32 bit. */
  seconds: number;
}

const BERLIN = 'Europe/Berlin';
const MAX_SECONDS = 0x7fff_ffff;
/** What a DOS time can say. */
const FIRST = Temporal.PlainDateTime.from('1980-01-01T00:00');
const LAST = Temporal.PlainDateTime.from('2107-12-31T23:59:58');

/**
 * The time of an entry: when the photo was taken (local time `2026-05-17T21:04:00` of the camera, assumed to be Berlin's), else
 * when it was received (ms since 1970). Years outside of the range of ZIP become the first or last possible one.
 */
export function zipTime(takenAt: string | null, receivedAt: number): ZipTime {
  const time = (takenAt !== null && takenTime(takenAt)) || Temporal.Instant.fromEpochMilliseconds(receivedAt).toZonedDateTimeISO(BERLIN);
  const seconds = Math.floor(time.epochMilliseconds / 1000);
  return { dos: dosTime(time), seconds: Math.min(Math.max(seconds, -MAX_SECONDS), MAX_SECONDS) };
}

function takenTime(text: string): Temporal.ZonedDateTime | null {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(BERLIN);
  } catch {
    return null;
  }
}

function dosTime(time: Temporal.ZonedDateTime): number {
  const [, { year, month, day, hour, minute, second }] = [FIRST, time.toPlainDateTime(), LAST].sort(Temporal.PlainDateTime.compare) as [
    Temporal.PlainDateTime,
    Temporal.PlainDateTime,
  ];
  const date = ((year - 1980) << 9) | (month << 5) | day;
  return ((date << 16) | (hour << 11) | (minute << 5) | (second >> 1)) >>> 0;
}
