import { paths } from '../paths.ts';
import { endSession } from './session.ts';

let destination: string | undefined;

/**
 * Ends the session in this browser, because the server has ended it, and loads the login page.
 * @param login its URL
 */
export function endAtLogin(login: string): void {
  destination = login;
  endSession();
  window.location.assign(login);
}

/** Ends the session of a supply teacher whose cover has ended, and says so. They have no password to log in again with. */
export const endAtSupplyLogin = (): void => endAtLogin(paths.supply({ action: 'cover-ended' }));

/** The login page that the browser loads; the guard would lead to it without the reason. */
export const loginDestination = (): string | undefined => destination;
