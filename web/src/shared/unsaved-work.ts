import { useEffect } from 'react';

const dirty = new Set<object>();

/** True while a form on the page has unsaved changes. */
export const hasUnsavedWork = (): boolean => dirty.size > 0;

/** While `isDirty`, the browser asks before the page is closed or reloaded. */
export function useUnsavedWork(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const work = {};
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    dirty.add(work);
    window.addEventListener('beforeunload', ask);
    return () => {
      dirty.delete(work);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isDirty]);
}
