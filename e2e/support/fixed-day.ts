// Loaded into the server before everything else (`node --import`), so that each run starts at the same moment of the same day.
// The clock is so slow that no minute ends within a test. Timers stay real.
const START = Date.parse('2026-05-16T14:30:10+02:00');
const SLOWER = 50;

const now = (): number => Math.floor(START + performance.now() / SLOWER);

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as object,
});
