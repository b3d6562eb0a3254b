import type { Call } from '#contract/call.ts';
import { ApiError } from './api-error.ts';
import { getSession } from './session.ts';
import { onSessionReset } from './session-reset.ts';
import { hasOpenWork } from './unsaved-work.ts';

/*
 * A session is in one school at a time, and the user can switch in another tab. So each call names the school of the page,
 * and the server rejects it when the session is in another.
 */

type AskToSwitchBack = () => Promise<boolean>;

/** Calls about the session, whichever school it is in: the user, log out, and the switch itself. */
const CALLS_OF_THE_SESSION: readonly string[] = ['GET /users/me', 'DELETE /auth', 'POST /users/me/enterprise'];

/** The header that names the school of the page, for a call by staff. */
export function schoolHeaders({ permission, method, path }: Pick<Call, 'permission' | 'method' | 'path'>) {
  const isAboutSession = CALLS_OF_THE_SESSION.includes(`${method} ${path}`);
  return permission === 'open' || isAboutSession ? {} : namePageSchool();
}

/** The header that names the school of the page; none for a user without a school. */
export function namePageSchool(): Record<string, string> {
  const schoolId = getSession()?.user.enterprise_id;
  return schoolId ? { 'Portal-School': String(schoolId) } : {};
}

let askToSwitchBack: AskToSwitchBack | undefined;
let asking: Promise<boolean> | undefined;
onSessionReset(() => (asking = undefined));

/** Registers how the user is asked to switch back. Returns a function that ends this. */
export function onSchoolSwitched(ask: AskToSwitchBack): () => void {
  askToSwitchBack = ask;
  return () => {
    if (askToSwitchBack === ask) askToSwitchBack = undefined;
  };
}

/** Loads the first page of the school that the session is in now. */
export function openCurrentSchool(): void {
  window.history.replaceState(null, '', '/#switched');
  window.location.reload();
}

/**
 * Makes a call for the school of the page. When the session is in another school, the page opens that one; with unsaved
 * work it stays, asks the user to switch back, and makes the call again.
 * @param isAction false for a call that only reads, which does not interrupt the user
 */
export async function inSchoolOfPage<T>(makeCall: () => Promise<T>, isAction: boolean): Promise<T> {
  const key = getSession()?.key;
  try {
    return await makeCall();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'school_switched' || getSession()?.key !== key) throw error;
    if (!hasOpenWork()) openCurrentSchool();
    else if (isAction && askToSwitchBack) {
      asking ??= askToSwitchBack().finally(() => (asking = undefined));
      if (await asking) return makeCall();
    }
    throw error;
  }
}
