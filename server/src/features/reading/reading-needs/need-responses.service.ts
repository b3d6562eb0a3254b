import type { Need, NeedKind, NeedResponse } from '#contract/calls/reading-needs.ts';
import { DAY_MS } from '../../../clock.ts';

/** How long a response hides a need at most. */
export const HIDDEN_MS = 14 * DAY_MS;
/** After this many sessions since `done`, the need is evaluated again. */
export const SESSIONS_UNTIL_REVIEW = 3;
/** An attempt to deal with a need is mentioned as long as reading counts: six weeks. */
export const TRIED_MS = 42 * DAY_MS;
/** An improvement is shown until this long after the response. */
const IMPROVED_MS = 28 * DAY_MS;

/** A stored response. */
export type ResponseRow = Omit<NeedResponse, 'responded_at' | 'until'> & {
  pupil_id: number;
  responded_at: Date;
  until: Date;
  /** Reading sessions that the pupil began since the response, up to `SESSIONS_UNTIL_REVIEW`. */
  sessions_since: number;
};
type Hiding = Pick<ResponseRow, 'response' | 'until' | 'sessions_since'>;

/** Whether a response still hides its need. */
export const isHiding = ({ response, until, sessions_since }: Hiding, now: Date): boolean =>
  now < until && (response === 'snoozed' || sessions_since < SESSIONS_UNTIL_REVIEW);

interface SortedNeeds<Response> {
  /** Needs that show, each with the latest attempt to deal with it. */
  open: { need: Need; tried: Response | null }[];
  hidden: { need: Need; response: Response }[];
  /** Responses after which the need no longer holds. */
  improved: Response[];
}

type Sortable = Hiding & { need: NeedKind; responded_at: Date };

/**
 * Sorts a pupil's needs by what staff did about them.
 * @param newestFirst the pupil's responses of the last six weeks
 * @param isOn whether the school uses a reason; one that it switched off cannot improve
 */
export function sortNeeds<Response extends Sortable>(
  needs: readonly Need[],
  newestFirst: readonly Response[],
  now: Date,
  isOn: (kind: NeedKind) => boolean,
): SortedNeeds<Response> {
  const sorted: SortedNeeds<Response> = { open: [], hidden: [], improved: [] };
  const isRecent = ({ responded_at }: Response, period: number) => now.getTime() - responded_at.getTime() < period;
  const findTried = (kind: NeedKind) =>
    newestFirst.find(
      (response) => response.need === kind && response.response === 'done' && isRecent(response, TRIED_MS),
    );
  for (const need of needs) {
    const response = newestFirst.find((candidate) => candidate.need === need.kind && isHiding(candidate, now));
    if (response) sorted.hidden.push({ need, response });
    else sorted.open.push({ need, tried: findTried(need.kind) ?? null });
  }
  const holds = new Set(needs.map(({ kind }) => kind));
  for (const kind of new Set(newestFirst.map(({ need }) => need))) {
    const tried = findTried(kind);
    if (!tried || holds.has(kind) || !isOn(kind) || isHiding(tried, now) || !isRecent(tried, IMPROVED_MS)) continue;
    // Without reading, old figures only expired.
    if (kind === 'nothing_assigned' || tried.sessions_since > 0) sorted.improved.push(tried);
  }
  return sorted;
}
