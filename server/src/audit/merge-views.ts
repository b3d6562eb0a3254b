import type { ShownPupils } from './shown-pupils.ts';

/** What one person saw of the same pupil or list, once or several times. */
export interface RecordedView extends ShownPupils {
  userId: number;
  isSupport: boolean;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** A page makes several calls, and is rendered on the server before: views within a minute are one. */
export const SAME_VIEW_MS = 60_000;

/** Adds up views of the same thing by the same person. A pupil in either is a pupil of both. */
export function mergeViews(one: RecordedView, other: RecordedView): RecordedView {
  const firstAt = one.firstAt < other.firstAt ? one.firstAt : other.firstAt;
  const lastAt = one.lastAt > other.lastAt ? one.lastAt : other.lastAt;
  const isSame =
    one.firstAt.getTime() < other.lastAt.getTime() + SAME_VIEW_MS &&
    other.firstAt.getTime() < one.lastAt.getTime() + SAME_VIEW_MS;
  const count = one.count + other.count - (isSame ? 1 : 0);
  return { ...one, count, firstAt, lastAt, pupilIds: [...new Set([...one.pupilIds, ...other.pupilIds])] };
}
