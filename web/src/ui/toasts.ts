export interface Toast {
  id: number;
  text: string;
  /** A second line: whom or what it was done to. */
  detail?: string;
  /** Takes the action back. The toast stays longer when it is there. */
  undo?: () => void;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** What is said where the specification has no text of its own. Source: access-and-billing.md, section 8. */
export const DEFAULT_SUCCESS = 'The action was successful';

/** Says that something worked. Failures stay on the page instead: see Notice and ErrorSummary. */
export function showToast(text: string, options: Pick<Toast, 'detail' | 'undo'> = {}): void {
  // More than three at once nobody reads.
  change([...toasts.slice(-2), { id: nextId++, text, ...options }]);
}

export const dismissToast = (id: number): void => change(toasts.filter((toast) => toast.id !== id));
export const getToasts = (): readonly Toast[] => toasts;
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
