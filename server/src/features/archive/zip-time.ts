/** The time of an entry in the two forms of a ZIP. */
export interface ZipTime {
  /** MS-DOS date (upper 16 bits) and time (lower), local, in steps of two seconds. */
  dos: number;
  /** Seconds since 1970, UTC, signed 32 bit. */
  seconds: number;
}

const BERLIN = 'Europe/Berlin';
const MAX_SECONDS = 0x7fff_ffff;

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

function dosTime({ year, month, day, hour, minute, second }: Temporal.ZonedDateTime): number {
  if (year < 1980) return dosOf(1980, 1, 1, 0, 0, 0);
  if (year > 2107) return dosOf(2107, 12, 31, 23, 59, 58);
  return dosOf(year, month, day, hour, minute, second);
}

function dosOf(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = ((year - 1980) << 9) | (month << 5) | day;
  const time = (hour << 11) | (minute << 5) | (second >> 1);
  return ((date << 16) | time) >>> 0;
}
