import type { UndoPlan } from '#contract/calls/runs.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { SkippedList } from './SkippedList.tsx';

/** What an undo has skipped, and why. Nothing if it has undone everything. */
export const SkippedNotice = ({ skipped }: { skipped: UndoPlan['skipped'] }) =>
  skipped.length > 0 && (
    <Notice isOutcome kind="warning" title="We could not undo everything">
      <SkippedList skipped={skipped} />
    </Notice>
  );
