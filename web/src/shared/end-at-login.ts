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

/** The login page that the browser loads; the guard would lead to it without the reason. */
export const loginDestination = (): string | undefined => destination;
