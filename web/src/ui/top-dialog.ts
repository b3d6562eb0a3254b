import { useSyncExternalStore } from 'react';
import { clearAnnouncements } from '../shared/announcements.ts';

/** The open dialogs, the topmost last. */
const openDialogs: HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function announceChange(): void {
  document.documentElement.toggleAttribute('data-dialog', openDialogs.length > 0);
  clearAnnouncements();
  listeners.forEach((listener) => listener());
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const getTopDialog = (): HTMLDialogElement | undefined => openDialogs.at(-1);

/** Opens a dialog above the page and all other dialogs. Call what it returns when the dialog closes. */
export function openOnTop(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal();
  openDialogs.push(dialog);
  announceChange();
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    announceChange();
  };
}

/** The topmost of the open dialogs. */
export const useTopDialog = (): HTMLDialogElement | undefined =>
  useSyncExternalStore(subscribe, getTopDialog, () => undefined);
