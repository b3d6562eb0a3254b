import type { Run, RunChanges as Changes } from '#contract/calls/runs.ts';
import { formatYearGroup, type YearGroup } from '#contract/year-group.ts';
import { paths } from '../../../../paths.ts';
import { can } from '../../../../shared/can.ts';
import { compareText } from '../../../../shared/compare-text.ts';
import { count } from '../../../../shared/format.ts';
import { ALL_CLASSES } from '../../../../shared/own-classes.ts';
import { useUser } from '../../../../shared/session.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { useSchool, WhileOpen } from '../../../school/school/school.public.ts';
import { PlanPart } from './PlanPart.tsx';

type Joiner = Changes['joiners'][number];
type Pupil = Changes['recognised'][number];

const nameOfClass = (schoolClass: Joiner['class']): string =>
  schoolClass === null ? 'no class' : (schoolClass.name ?? 'a deleted class');

const nameOfYear = (code: YearGroup | null): string => (code === null ? 'no year group' : formatYearGroup(code));

/** By class, those without one last. */
const byClass = (pupils: readonly Joiner[]): Joiner[] =>
  pupils.toSorted(
    (left, right) =>
      Number(left.class === null) - Number(right.class === null) ||
      compareText(nameOfClass(left.class), nameOfClass(right.class)),
  );

/** A pupil with a link to their page, which those in the archive do not have. */
function PupilRow({ pupil: { id, name, is_archived: isArchived }, text }: { pupil: Pupil; text?: string }) {
  return (
    <li>
      {isArchived ? <span>{name}</span> : <Link to={paths.pupil(id)}>{name}</Link>}{' '}
      <span className="soft">{[text, isArchived && 'in the archive'].filter(Boolean).join(', ')}</span>
    </li>
  );
}

/** What a run changed, by name. */
export function RunChanges({ run, changes }: { run: Pick<Run, 'id'>; changes: Changes }) {
  const present = changes.joiners.filter((pupil) => !pupil.is_archived).length;
  return (
    <div className="above-3xl">
      <PlanPart
        title="Joined"
        rows={byClass(changes.joiners)}
        {...(present > 0 && {
          note: 'For new login cards, select them in Pupils and press Reset Passwords.',
          action: <FindJoiners run={run} number={present} />,
        })}
      >
        {(pupil) => <PupilRow key={pupil.id} pupil={pupil} text={nameOfClass(pupil.class)} />}
      </PlanPart>
      <PlanPart title="Back" rows={changes.returners} note="They were restored from the archive.">
        {(pupil) => <PupilRow key={pupil.id} pupil={pupil} text={nameOfClass(pupil.class)} />}
      </PlanPart>
      <PlanPart title="Left" rows={changes.leavers}>
        {(pupil) => <PupilRow key={pupil.id} pupil={pupil} text={nameOfClass(pupil.class)} />}
      </PlanPart>
      <PlanPart title="Changes of class" rows={changes.movers}>
        {(pupil) => (
          <PupilRow key={pupil.id} pupil={pupil} text={`from ${nameOfClass(pupil.from)} to ${nameOfClass(pupil.to)}`} />
        )}
      </PlanPart>
      <PlanPart title="Changes of name" rows={changes.names}>
        {(pupil) => <PupilRow key={pupil.id} pupil={pupil} text={`from ${pupil.from} to ${pupil.to}`} />}
      </PlanPart>
      <PlanPart title="Changes of year group" rows={changes.year_groups} isFolded>
        {(pupil) => (
          <PupilRow key={pupil.id} pupil={pupil} text={`from ${nameOfYear(pupil.from)} to ${nameOfYear(pupil.to)}`} />
        )}
      </PlanPart>
      <PlanPart
        title="Recognised"
        rows={changes.recognised}
        note="They were here already. We now know them by their ID in the school records."
        isFolded
      >
        {(pupil) => <PupilRow key={pupil.id} pupil={pupil} />}
      </PlanPart>
      <PlanPart title="Classes" rows={changes.classes} noun={['class', 'classes']}>
        {({ id, from, to }) => (
          <li key={id}>
            <span>{from ?? to}</span>{' '}
            <span className="soft">{from === null ? 'new' : to === null ? 'deleted' : `became ${to}`}</span>
          </li>
        )}
      </PlanPart>
    </div>
  );
}

/** Opens the joiners who are still in the school in *Pupils*, where they can be selected. */
function FindJoiners({ run, number }: { run: Pick<Run, 'id'>; number: number }) {
  const what = can(useUser(), 'delete_pupil', useSchool()) ? 'Login cards and tags' : 'Login cards';
  return (
    <WhileOpen>
      <ButtonLink variant="default" to={paths.pupils({ groups: ALL_CLASSES, run: run.id })}>
        {what} for {number === 1 ? 'this pupil' : `these ${count(number, 'pupil')}`}
      </ButtonLink>
    </WhileOpen>
  );
}
