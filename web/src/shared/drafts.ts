import { useState } from 'react';
import type { User } from '#contract/calls/access.ts';
import { currentTime } from './page-scope.ts';
import { getSession } from './session.ts';
import { privateKey } from './storage.ts';
import type { DraftSource } from './unsaved-work.ts';
import { useBrowserValue } from './use-browser-value.ts';

/*
 * What a user had typed when their session ended and they could not log in on the page. It stays in this tab, and is
 * offered to the same user in the same school on the same screen.
 */

interface Draft {
  userId: number;
  schoolId: number | null;
  at: number;
  values: unknown;
}

const PREFIX = privateKey('draft');
const LIFE_MS = 7 * 86_400_000;

const keyOf = (name: string): string => `${PREFIX} ${window.location.pathname} ${name}`;

function parse(text: string | null): Draft | null {
  try {
    return JSON.parse(text ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/** Passwords are never stored. */
const withoutPasswords = (key: string, value: unknown): unknown => (/password/i.test(key) ? '' : value);

/** Stores drafts. Returns false if this browser stores nothing. */
export function saveDrafts(sources: readonly DraftSource[], user: User): boolean {
  try {
    for (const { name, read } of sources) {
      const draft: Draft = { userId: user.id, schoolId: user.enterprise_id, at: currentTime(), values: read() };
      sessionStorage.setItem(keyOf(name), JSON.stringify(draft, withoutPasswords));
    }
    return true;
  } catch {
    return false;
  }
}

export function removeDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // Storage is blocked, so there is no draft.
  }
}

function readText(name: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** A draft of this user, school and screen. */
export interface DraftOffer {
  use: () => void;
  discard: () => void;
}

/** Offers the user's draft of this screen; null without one. */
export function useDraftOffer(name: string | undefined, use: (values: unknown) => void): DraftOffer | null {
  const [isAnswered, setAnswered] = useState(false);
  const text = useBrowserValue(() => (name === undefined ? null : readText(name)), null);
  const draft = parse(text);
  if (name === undefined || isAnswered || !draft) return null;
  const user = getSession()?.user;
  if (draft.userId !== user?.id || draft.schoolId !== user.enterprise_id) return null;
  if (currentTime() - draft.at > LIFE_MS) return null;
  const end = () => {
    setAnswered(true);
    removeDraft(name);
  };
  return {
    use: () => {
      use(draft.values);
      end();
    },
    discard: end,
  };
}
