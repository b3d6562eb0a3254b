import { useState } from 'react';
import type { Program } from '#contract/calls/programs.ts';
import { DAYS_LISTED_AFTER_END, MAX_PROGRAMS } from '#contract/programs.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { endInWords } from '../model/program-words.ts';
import { programsQuery, useConfirmProgram, useRevokeProgram } from '../programs.api.ts';
import type { ClassChoice } from './ProgramForm.tsx';
import { ProgramItem } from './ProgramItem.tsx';
import css from './Programs.module.css';

const ProgramDialog = lazyDialog(async () => (await import('./ProgramDialog.tsx')).ProgramDialog);

type Open = { kind: 'add' } | { kind: 'change' | 'revoke' | 'confirm'; program: Program };

interface Props {
  /** The school’s classes, to some of which a program can be limited. */
  classes: readonly ClassChoice[];
  canChange: boolean;
}

/** The programs that work with the school’s data, for admins. */
export function Programs({ classes, canChange }: Props) {
  const schoolId = useSchoolId();
  const isOwner = !useUser().impersonated_by && canChange;
  const result = usePrefetchedQuery(programsQuery(schoolId));
  const revoke = useRevokeProgram(schoolId);
  const confirm = useConfirmProgram(schoolId);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const programs = result.data?.programs;
  const active = programs?.filter(({ ended_at: endedAt }) => endedAt === null) ?? [];
  const ended = programs?.filter(({ ended_at: endedAt }) => endedAt !== null) ?? [];
  const revoked = open?.kind === 'revoke' ? open.program : undefined;
  const confirmed = open?.kind === 'confirm' ? open.program : undefined;
  const changed = open?.kind === 'change' ? open.program : undefined;

  return (
    <Card className={css.card} aria-labelledby="programs-title">
      <h2 id="programs-title">Programs</h2>
      <p>
        Let another program read or change data of your school, such as a data warehouse or a script. Each gets a token
        of its own. <Link to={paths.changes({ actor_id: 'programs' })}>See what programs have changed</Link>
      </p>
      {result.error && !programs && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {programs && active.length === 0 && <p className="soft">No program has a token at the moment.</p>}
      {active.length > 0 && (
        <ul className={css.list}>
          {active.map((program) => (
            <ProgramItem
              key={program.id}
              program={program}
              isOwner={isOwner}
              canRevoke={canChange}
              onOpen={(kind) => setOpen({ kind, program })}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <section aria-labelledby="programs-ended">
          <h3 id="programs-ended">Ended in the last {DAYS_LISTED_AFTER_END} days</h3>
          <ul className={css.ended}>
            {ended.map((program) => (
              <li key={program.id}>
                {program.name} <span className="soft block">{endInWords(program)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {programs && isOwner && active.length < MAX_PROGRAMS && (
        <Button variant="default" onClick={() => setOpen({ kind: 'add' })}>
          Add a program
        </Button>
      )}
      {isOwner && active.length >= MAX_PROGRAMS && (
        <p className="soft flat">
          A school has at most {MAX_PROGRAMS} programs. To add another, revoke one that is no longer used.
        </p>
      )}
      <ProgramDialog
        isOpen={open?.kind === 'add' || changed !== undefined}
        onClose={close}
        program={changed}
        classes={classes}
      />
      <Confirm
        isOpen={revoked !== undefined}
        onClose={close}
        title={`Revoke ${revoked?.name ?? ''}?`}
        action="Revoke"
        lost="The program has not been revoked."
        isDangerous
        onConfirm={async () => {
          if (!revoked) return;
          await revoke.mutateAsync(revoked.id);
          showToast(`${revoked.name} revoked`);
        }}
      >
        <p>
          From now on its token opens nothing. What it changed stays. You cannot undo this: to let the program in again,
          add it again with a new token.
        </p>
      </Confirm>
      <Confirm
        isOpen={confirmed !== undefined}
        onClose={close}
        title={`Confirm ${confirmed?.name ?? ''}?`}
        action="Confirm"
        onConfirm={async () => {
          if (!confirmed) return;
          await confirm.mutateAsync(confirmed.id);
          showToast(`${confirmed.name} confirmed`);
        }}
      >
        <p>
          You then answer for this program. It works until {formatDate(confirmed?.expires_at ?? '')}, as before. If you
          do not know what it is for, revoke it instead.
        </p>
      </Confirm>
    </Card>
  );
}
