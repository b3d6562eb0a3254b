import { onSessionReset } from '../shared/session-reset.ts';

export interface Toast {
  id: number;
  text: string;
  /** A second line: who or what was changed. */
  detail?: string;
  /** Undoes the action. A toast with Undo stays longer. */
  undo?: () => Promise<unknown>;
}

/** An action that could not be undone. */
export interface FailedUndo {
  /** The text of the toast that confirmed the action. */
  text: string;
  error: unknown;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
let failedUndo: FailedUndo | null = null;
const listeners = new Set<() => void>();

// They name children.
onSessionReset(() => {
  failedUndo = null;
  change([]);
});

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows on the current page that an action could not be undone; null removes the notice. */
export function reportFailedUndo(failure: FailedUndo | null): void {
  failedUndo = failure;
  for (const listener of listeners) listener();
}

export const getFailedUndo = (): FailedUndo | null => failedUndo;

/** The message for actions without a text in the specification. */
export const DEFAULT_SUCCESS = 'The action was successful';

/** Confirms that an action succeeded. Failures stay on the page instead: see Notice and ErrorSummary. */
export function showToast(text: string, options: Pick<Toast, 'detail' | 'undo'> = {}): void {
  // Users do not read more than three at once.
  change([...toasts.slice(-2), { id: nextId++, text, ...options }]);
}

export const dismissToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id));
export const getToasts = (): readonly Toast[] => toasts;
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
