/** Loaded before a server: each SIGUSR2 sets the wall clock of its process a day ahead, or right again. */
const DAY_MS = 86_400_000;
const RealDate = Date;
let ahead_ms = 0;

const now = () => RealDate.now() + ahead_ms;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
process.on('SIGUSR2', () => {
  ahead_ms = ahead_ms === 0 ? DAY_MS : 0;
});
