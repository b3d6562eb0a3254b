import type { ImportQuestion } from '#contract/calls/pupil-import.ts';

/** Whether a question must be answered before the list is added. */
export const isOpen = ({ is_required, is_answered }: ImportQuestion): boolean => is_required && !is_answered;
