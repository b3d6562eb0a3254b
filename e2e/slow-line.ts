import { expect, type Page, type Route } from '@playwright/test';

/** A call that is on its way until the journey lets it arrive. */
interface HeldCall {
  /** Waits until the page has sent it. */
  sent: () => Promise<void>;
  /** Lets it arrive, and all later ones of its kind. */
  release: () => void;
}

/**
 * Holds the calls of a kind back, as on a slow line.
 * @param path the end of the path, without the query
 * @param answer what becomes of them when they are released; they reach the server by default
 */
export async function holdCalls(
  page: Page,
  method: string,
  path: RegExp,
  answer = (route: Route): Promise<void> => route.continue(),
): Promise<HeldCall> {
  let count = 0;
  let isReleased = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname.startsWith('/v1/') && path.test(pathname),
    async (route) => {
      if (isReleased || route.request().method() !== method) return route.fallback();
      count += 1;
      await promise;
      // The page may have cancelled it, or be gone.
      await answer(route).catch(() => undefined);
    },
  );
  return {
    sent: () => expect.poll(() => count, { message: `${method} ${path.source}` }).toBeGreaterThan(0),
    release: () => {
      isReleased = true;
      resolve();
    },
  };
}

/** The answer of a server that is away. */
export const answerAway = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { error: 'The portal is not available', error_type: 'server' } });

/** The bar that runs along the top while the next page loads. */
export const expectLoading = (page: Page): Promise<void> => expect(page.locator('[role="progressbar"]')).toBeVisible();

/** Follows a link of the main navigation. */
export const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
