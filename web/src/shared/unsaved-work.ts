import { useEffect, useRef } from 'react';
import { onSessionReset } from './session-reset.ts';

/** The values of a form, for a draft. */
export interface DraftSource {
  name: string;
  read: () => unknown;
}

interface Work {
  /** Leaving the page loses it, so the user is asked first. */
  isUnsaved: boolean;
  /** A draft can store it; `getDraft` is on the form that contains it. */
  isDrafted: boolean;
  getDraft?: () => DraftSource | undefined;
}

const works = new Set<Work>();
onSessionReset(() => works.clear());

/** True while a form on the page has unsaved changes. */
export const hasUnsavedWork = (): boolean => [...works].some(({ isUnsaved }) => isUnsaved);

/** True while leaving the page would lose something that is typed, ticked or open. */
export const hasOpenWork = (): boolean => works.size > 0;

/** The drafts that store all open work; null when they would lose a part of it. */
export const listDrafts = (): DraftSource[] | null =>
  [...works].every(({ isDrafted }) => isDrafted) ? [...works].flatMap(({ getDraft }) => getDraft?.() ?? []) : null;

/** Leaves the page without a question, because its work is stored. */
export const releaseWork = (): void => works.clear();

/**
 * While `isDirty`, the browser asks before the page is closed or reloaded.
 * @param isDrafted the form stores drafts of it
 */
export function useUnsavedWork(isDirty: boolean, isDrafted = false): void {
  useEffect(() => {
    if (!isDirty) return;
    const work: Work = { isUnsaved: true, isDrafted };
    const ask = (event: BeforeUnloadEvent) => works.has(work) && event.preventDefault();
    works.add(work);
    window.addEventListener('beforeunload', ask);
    return () => {
      works.delete(work);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isDirty, isDrafted]);
}

/** While `isOpen`, a session that has ended does not take the user away from the page. */
export function useOpenWork(isOpen: boolean, draft?: DraftSource): void {
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const isDrafted = draft !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const work: Work = { isUnsaved: false, isDrafted, getDraft: () => latest.current };
    works.add(work);
    return () => void works.delete(work);
  }, [isOpen, isDrafted]);
}
