import { Button } from '../../../../ui/Button.tsx';
import type { PastNeedResponse } from '#contract/calls/reading-needs.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { describeResponse } from '../model/response-words.ts';
import { useStaffName } from '../model/use-staff-name.ts';
import { useUndoResponse } from '../reading-needs.api.ts';
import { WhileOpen } from '../../../school/school/school.public.ts';
import css from './WhoNeedsMe.module.css';

interface Props {
  pupil: { id: number; name: string };
  /** The newest first. */
  history: readonly PastNeedResponse[];
}

/** What staff did about a pupil's reasons. */
export function NeedHistory({ pupil, history }: Props) {
  const remove = useUndoResponse(useSchoolId(), pupil.id);
  const nameOf = useStaffName();
  if (history.length === 0) return null;
  return (
    <details className={`${css.more} ${css.hidden}`}>
      <summary>What was done: {count(history.length, 'entry', 'entries')}</summary>
      {remove.error && <ErrorNotice error={remove.error} />}
      <ul>
        {history.map((response) => (
          <li key={response.id}>
            {describeResponse(response, nameOf)} <span className="soft">({response.reason})</span>
            {response.can_remove && (
              <WhileOpen>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  className="no-print"
                  aria-label={`Remove: ${describeResponse(response, nameOf)}`}
                  loading={remove.isPending && remove.variables === response.id}
                  onClick={() => remove.mutate(response.id)}
                >
                  Remove
                </Button>
              </WhileOpen>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
