/* Loaded before the portal's own code: the process's clock is a day ahead. */
const AHEAD_MS = 86_400_000;

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now() + AHEAD_MS], newTarget) as Date,
  get: (target, key) => (key === 'now' ? () => target.now() + AHEAD_MS : Reflect.get(target, key)),
});
