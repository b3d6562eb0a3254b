import type { User } from '#contract/calls/access.ts';
import type { PageRequest } from '#contract/pages.ts';

/**
 * What the server renders a page from. It belongs to one request, as the browser's equivalents belong to one window.
 */
export interface PageScope extends Omit<PageRequest, 'url'> {
  /** The signed-in user; null until the server has loaded them. */
  user: User | null;
}

let findScope = (): PageScope | undefined => undefined;

/** The current request; undefined in a browser. */
export const getPageScope = (): PageScope | undefined => findScope();

/** Registers how to find the current request. Called once, by the server. */
export function providePageScope(finder: () => PageScope | undefined): void {
  findScope = finder;
}

let renderedAt: number | undefined;
let clockOffsetMs = 0;

/** Until `endHydration`, the browser renders what the server rendered at this moment of the server's clock. */
export function beginHydration(moment: number): void {
  renderedAt = moment;
  clockOffsetMs = moment - Date.now();
}

export function endHydration(): void {
  renderedAt = undefined;
}

/** True on the server, and while the browser hydrates: both must render the same. */
export const isFirstRender = (): boolean => renderedAt !== undefined || findScope() !== undefined;

/** Milliseconds on the server's clock. Constant during the first render. */
export const currentTime = (): number => findScope()?.now ?? renderedAt ?? Date.now() + clockOffsetMs;
