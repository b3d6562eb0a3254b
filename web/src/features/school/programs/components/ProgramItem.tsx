import type { Program } from '#contract/calls/programs.ts';
import { formatDate, formatMoment } from '../../../../shared/format.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { classesInWords, madeInWords, otherNetworkInWords, scopesInWords } from '../model/program-words.ts';
import css from './Programs.module.css';

interface Props {
  program: Program;
  /** Whether the user can change and confirm programs: an admin of the school, while it is open. */
  isOwner: boolean;
  canRevoke: boolean;
  onOpen: (kind: 'change' | 'revoke' | 'confirm') => void;
}

/** A program that has not ended: what it can do, who answers for it and when it was used. */
export function ProgramItem({ program, isOwner, canRevoke, onOpen }: Props) {
  const { name, responsible, confirm_by: confirmBy, last_used_at: lastUsedAt } = program;
  const otherNetwork = otherNetworkInWords(program, currentTime());
  return (
    <li>
      <div className={css.head}>
        <h3>{name}</h3>
        <div className="cluster">
          {isOwner && (
            <Button variant="default" aria-label={`Change ${name}`} onClick={() => onOpen('change')}>
              Change
            </Button>
          )}
          {canRevoke && (
            <Button variant="default" aria-label={`Revoke ${name}`} onClick={() => onOpen('revoke')}>
              Revoke
            </Button>
          )}
        </div>
      </div>
      {confirmBy !== null && (
        <Notice
          kind="warning"
          action={
            isOwner && (
              <Button size="sm" variant="default" aria-label={`Confirm ${name}`} onClick={() => onOpen('confirm')}>
                Confirm
              </Button>
            )
          }
        >
          {responsible
            ? `${responsible.name} is no longer an admin.`
            : 'The admin who answered for it is no longer one.'}{' '}
          This program ends on {formatDate(confirmBy)} unless an admin confirms it.
        </Notice>
      )}
      <dl className={css.facts}>
        <dt>What it can do</dt>
        <dd>{scopesInWords(program)}</dd>
        <dt>Classes</dt>
        <dd>{classesInWords(program)}</dd>
        <dt>Made</dt>
        <dd>{madeInWords(program)}</dd>
        <dt>Answers for it</dt>
        <dd>{responsible?.name ?? 'A former member of staff'}</dd>
        <dt>Last used</dt>
        <dd>
          {lastUsedAt === null ? 'Never used' : formatMoment(lastUsedAt)}
          {otherNetwork && <strong className="block">{otherNetwork}</strong>}
        </dd>
        <dt>Ends</dt>
        <dd>{formatDate(program.expires_at)}</dd>
      </dl>
    </li>
  );
}
