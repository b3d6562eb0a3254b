import type { EndReason } from '../paths.ts';
import { ApiError } from './api-error.ts';
import { saveDrafts } from './drafts.ts';
import { endAtSupplyLogin } from './end-at-login.ts';
import {
  countLogins,
  getSession,
  isUntried,
  noteAccepted,
  noteExpiry,
  onSessionChange,
  type Session,
} from './session.ts';
import { onSessionReset } from './session-reset.ts';
import { isSupplyTeacher } from './supply-teacher.ts';
import { hasOpenWork, listDrafts, releaseWork } from './unsaved-work.ts';

/*
 * What the page does when the server no longer knows the session: it asks the user to log in again over the page while
 * leaving would lose something, and leaves otherwise.
 */

interface Host {
  /** Loads the dialog. Fails if its script cannot be loaded. */
  loadDialog: () => Promise<unknown>;
}

interface Leave {
  /** Goes to /logout. */
  toLogout: (reason?: EndReason) => void;
  /** Loads the login page, which leads back to this screen. */
  toLogin: () => void;
}

/** A session that has ended, until the user has logged in again or closed the dialog. */
interface Question {
  /** The count of logins when it began. */
  login: number;
  isLoggedIn: Promise<boolean>;
  /** The user has closed it; only a change asks again. */
  isDeclined: boolean;
  isOpen: boolean;
  open: () => void;
  answer: (isLoggedIn: boolean) => void;
}

let host: Host | undefined;
let leave: Leave = {
  toLogout: () => window.location.assign('/logout'),
  toLogin: () => window.location.assign('/login'),
};
let question: Question | undefined;
/** Calls that change something, by their number. */
const pendingActions = new Set<number>();
let actionCount = 0;
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Registers the dialog. Returns a function that removes it. */
export function hostLogInAgain(dialog: Host): () => void {
  host = dialog;
  return () => {
    if (host === dialog) host = undefined;
  };
}

/** Registers how the page is left. By default it loads /logout or /login. */
export function onLeave(ways: Leave): void {
  leave = ways;
}

/** Goes to /logout, as the specification asks for a 403 and an ended session. */
export const leaveForLogout = (reason?: EndReason): void => leave.toLogout(reason);

/** The number of the newest call that changes something. */
export const countActions = (): number => actionCount;

/** True while a call that changes something, and is newer than this number, has not been answered. */
export const hasPendingAction = (since: number): boolean => [...pendingActions].some((number) => number > since);

/** True while the user is asked to log in again. */
export const isLogInDialogOpen = (): boolean => question?.isOpen === true;

/** The user closes the dialog: the calls fail, and nothing on the page is lost. */
export const declineLogIn = (): void => question?.answer(false);

export function onLogInQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

onSessionReset(() => {
  // Calls of the previous user wait for ever.
  question = undefined;
  pendingActions.clear();
  notify();
});

/** True for the error of a call whose session has ended. */
const isEnded = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401 && error.error === 'Unauthorised';

const explainEnd = (error: ApiError): ApiError =>
  error.reworded({ error: 'Your session has ended. Log in again, in another tab if you like, then try again.' });

/** Never settles: nothing of an earlier session may appear in the current one. */
const drop = () => new Promise<never>(() => {});

interface Options {
  /** False for a call that only reads, which may be in the background. */
  isAction: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Makes a call as the signed-in user. When the session has ended, asks the user to log in again and makes the call
 * again; all calls share one question. What the page reads in the background does not interrupt someone who is typing.
 */
export async function withLogin<T>(makeCall: () => Promise<T>, options: Options): Promise<T> {
  if (!options.isAction) return callAsUser(makeCall, options);
  const number = ++actionCount;
  pendingActions.add(number);
  try {
    return await callAsUser(makeCall, options);
  } finally {
    pendingActions.delete(number);
  }
}

async function callAsUser<T>(makeCall: () => Promise<T>, { isAction, signal }: Options): Promise<T> {
  const session = getSession();
  const login = countLogins();
  const isOver = () => getSession()?.key !== session?.key;
  try {
    const reply = await makeCall();
    if (session) noteAccepted(session.key);
    return session && isAction && isOver() ? await drop() : reply;
  } catch (error) {
    if (session && isAction && isOver()) return drop();
    if (!isEnded(error) || isOver()) throw error;
    // Another call has asked meanwhile.
    const isBack = countLogins() !== login || (await logInAgain(session, isAction, signal));
    if (session && isOver()) return drop();
    if (!isBack) throw session ? explainEnd(error) : error;
    return await makeCall().catch((second: unknown) => {
      throw isEnded(second) ? explainEnd(second) : second;
    });
  }
}

/** Resolves with true once the same user has logged in again. */
async function logInAgain(session: Session | null, isAction: boolean, signal?: AbortSignal): Promise<boolean> {
  if (session && isSupplyTeacher(session.user)) {
    endAtSupplyLogin();
    return false;
  }
  if (session) noteExpiry();
  if (!session || session.user.impersonated_by || !hasOpenWork()) {
    leave.toLogout(session ? (isUntried(session.key) ? 'cookies-blocked' : 'session-ended') : undefined);
    return false;
  }
  if (question?.isDeclined && (isAction || question.login !== countLogins())) question = undefined;
  question ??= beginQuestion(session);
  if (isAction || !isTyping()) question.open();
  return isAction || !signal ? question.isLoggedIn : untilAborted(question.isLoggedIn, signal);
}

const isTyping = (): boolean =>
  document.activeElement?.matches('textarea, [contenteditable], input:not([type="checkbox"], [type="radio"])') ?? false;

function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    result.then(resolve, reject);
  });
}

/** Opens the dialog when it is asked to, or when the user next presses something. */
function beginQuestion(session: Session): Question {
  const login = countLogins();
  const ended = new AbortController();
  let resolve: (isLoggedIn: boolean) => void = () => {};
  const begun: Question = {
    login,
    isLoggedIn: new Promise((done) => (resolve = done)),
    isDeclined: false,
    isOpen: false,
    open: () => {
      if (begun.isOpen || begun.isDeclined) return;
      begun.isOpen = true;
      const loaded = host?.loadDialog() ?? Promise.reject(new Error('No dialog is registered'));
      void loaded.then(notify, () => {
        if (!leaveWithDrafts(session)) begun.answer(false);
      });
    },
    answer: (isLoggedIn) => {
      ended.abort();
      begun.isDeclined = !isLoggedIn;
      begun.isOpen = false;
      if (isLoggedIn) question = undefined;
      notify();
      resolve(isLoggedIn);
    },
  };
  document.addEventListener('click', begun.open, { capture: true, signal: ended.signal });
  const stopListening = onSessionChange(() => {
    if (getSession()?.key === session.key && countLogins() !== login) begun.answer(true);
  });
  ended.signal.addEventListener('abort', stopListening);
  return begun;
}

/** Stores the work as drafts and loads the login page. Returns false, without leaving, when something would be lost. */
function leaveWithDrafts({ user }: Session): boolean {
  const drafts = listDrafts();
  if (!drafts || !saveDrafts(drafts, user)) return false;
  releaseWork();
  leave.toLogin();
  return true;
}
