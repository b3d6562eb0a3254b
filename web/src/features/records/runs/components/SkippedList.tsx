import type { UndoPlan } from '#contract/calls/runs.ts';
import { SKIP_REASON_NAMES } from '../model/run-text.ts';

/** The pupils and classes that an undo skips, each with the reason. */
export const SkippedList = ({ skipped }: { skipped: UndoPlan['skipped'] }) => (
  <ul>
    {skipped.map(({ pupil, name, reason }) => (
      <li key={`${pupil} ${name}`}>
        {name}: {SKIP_REASON_NAMES[reason]}
      </li>
    ))}
  </ul>
);
