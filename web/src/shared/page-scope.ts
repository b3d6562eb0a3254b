import type { User } from '#contract/calls/access.ts';

/** What a page is drawn from on the server: it belongs to one request, as the browser's belongs to one window. */
export interface PageScope {
  /** Who is signed in; null until the server has found out. */
  user: User | null;
  /** The visitor's `Cookie` header. */
  cookies: string;
  /** Makes the visitor's calls. */
  fetch: (address: string) => Promise<Response>;
  /** When the page is drawn, in milliseconds. */
  now: number;
}

let find = (): PageScope | undefined => undefined;

/** The request that is served; undefined in a browser. */
export const getPageScope = (): PageScope | undefined => find();

/** Says how to find the request that is served. For the server, once. */
export function providePageScope(finder: () => PageScope | undefined): void {
  find = finder;
}

let drawnAt: number | undefined;
let ahead = 0;

/** From now on, until `endHydration`, the browser draws what the server drew at that moment of the server's clock. */
export function beginHydration(moment: number): void {
  drawnAt = moment;
  ahead = moment - Date.now();
}

export function endHydration(): void {
  drawnAt = undefined;
}

/** True on the server, and while the browser draws what the server drew: both must come to the same. */
export const isFirstDrawing = (): boolean => drawnAt !== undefined || find() !== undefined;

/** Milliseconds on the server's clock, which the first drawing sees stand still. */
export const currentTime = (): number => find()?.now ?? drawnAt ?? Date.now() + ahead;
