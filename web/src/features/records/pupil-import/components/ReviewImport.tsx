import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { IconArrowLeft, IconArrowsExchange, IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../../../paths.ts';
import { can } from '../../../../shared/can.ts';
import { CapacityError } from '../../../../shared/error-text.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { count } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { Link } from '../../../../ui/Link.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { useSchool } from '../../../school/school/school.public.ts';
import { StickyFoot } from '../../../../ui/StickyFoot.tsx';
import css from '../AddPupilsPage.module.css';
import { classesOf, renameClass } from '../model/classes.ts';
import {
  actionOf,
  countDraft,
  describeDraft,
  type Destination,
  type DraftRow,
  hasYearGroupToStore,
  isSuggested,
  movable,
} from '../model/draft.ts';
import { describeReading } from '../model/describe-reading.ts';
import { isOpen } from '../model/questions.ts';
import { ClassesOfList } from './ClassesOfList.tsx';
import { DraftTable } from './DraftTable.tsx';
import { FixRows, focusFirstWrongRow } from './FixRows.tsx';
import type { MoveChoices } from '../model/use-moving.ts';
import { focusFirstQuestion, ListQuestions } from './ListQuestions.tsx';
import { ListSheets } from './ListSheets.tsx';
import { UnderstoodColumns } from './UnderstoodColumns.tsx';
import type { ImportDraft, Draft } from '../model/use-import-draft.ts';

interface Props {
  adding: ImportDraft;
  draft: Draft;
  /** Classes that the user can change. */
  classes: readonly Class[];
  /** The class whose page led here, which cannot be changed. */
  fixedClass: Class | undefined;
  moving: MoveChoices;
  onConfirm: () => void;
  error: unknown;
}

const toDestination = (value: string): Destination => (value === 'input' || value === 'none' ? value : Number(value));

/** Shows what an import would do. The user can correct it and confirm. */
export function ReviewImport({ adding, draft, classes, fixedClass, moving, onConfirm, error }: Props) {
  const user = useUser();
  const school = useSchool();
  const { rows, destination, capacity, newClasses } = draft;
  const counts = countDraft(rows);
  const hasClasses = destination === 'input';
  const movers = hasClasses ? movable(rows) : [];
  const restored = rows.filter(
    ({ status, existing, isLeftOut }) => !isLeftOut && status === 'moved' && existing?.is_archived,
  );
  const fits = capacity.left === null || counts.new + restored.length <= capacity.left;
  const moved = counts.moved + moving.chosen.length;
  const total = counts.new + moved;
  const yearGroups = rows.filter(hasYearGroupToStore).length;
  const className = classes.find(({ id }) => id === destination)?.name ?? fixedClass?.name;
  const isInput = rows.some((row) => row.class) && draft.source.kind !== 'rows';
  const { questions } = draft.understood;
  const open = questions.filter(isOpen).length;
  // Answers change the rows, so rows are corrected after them.
  const isSettled = open === 0;
  const existing = school?.groups ?? [];
  const ofList = hasClasses ? classesOf(rows, existing) : [];

  const [added, ...more] = describeDraft(rows, className);
  const heading = useRef<HTMLHeadingElement>(null);
  // The fields that the user has filled in are gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const { answers } = draft.reading;
  const answer = (chosen: Readonly<Record<string, string>>) =>
    void adding.readAgain({ answers: { ...answers, ...chosen } });
  const leaveOut = (keys: readonly number[], isLeftOut: boolean) =>
    void adding.change((row) => (keys.includes(row.key) ? { ...row, isLeftOut } : row));
  const edit = (key: number, changes: Partial<DraftRow>) =>
    void adding.change((row) => (row.key === key ? { ...row, ...changes } : row));
  const disabledReason =
    counts.archived > 0
      ? `For ${count(counts.archived, 'pupil')} in the archive, choose whether it is the same child.`
      : total + yearGroups === 0
        ? 'There are no pupils to add.'
        : !fits
          ? `Your subscription has ${count(capacity.left ?? 0, 'place')} left.`
          : adding.isChecking
            ? 'We are checking the list.'
            : undefined;

  return (
    <>
      <div className={`row ${css.head}`}>
        <Button variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={adding.discard}>
          Start again
        </Button>
        <h2 ref={heading} tabIndex={-1} className={css.title}>
          {draft.title}, {count(rows.length, 'row')}
        </h2>
        <p className={css.title}>Nothing is saved yet.</p>
      </div>
      {adding.error !== null && <ErrorNotice error={adding.error} onRetry={() => void adding.recheck()} />}
      {!fits && <ErrorNotice error={new CapacityError(capacity.left ?? 0, can(user, 'manage_subscription', school))} />}
      <ListQuestions questions={questions} isEdited={draft.isEdited} isBusy={adding.isChecking} onAnswer={answer} />
      <ListSheets
        draft={draft}
        isBusy={adding.isChecking}
        onLayout={(layout) => void adding.readAgain({ layout })}
        onSheets={(sheets) => void adding.readAgain({ sheets })}
      />
      {isSettled && (
        <FixRows
          rows={rows.filter(({ wasWrong }) => wasWrong)}
          hasClasses={hasClasses}
          onEdit={edit}
          onSuggestions={() =>
            void adding.change((row) =>
              isSuggested(row) ? { ...row, name: row.suggestedName ?? row.name, suggestedName: null } : row,
            )
          }
          onLeaveOut={leaveOut}
        />
      )}
      <UnderstoodColumns
        draft={draft}
        isBusy={adding.isChecking}
        onRoles={(roles, choice) => void adding.readAgain({ roles }, choice)}
      />
      {draft.understood.sheets.length > 0 && (
        <p>
          {/* In another tab, so that the review stays. */}
          <Link
            to={`${paths.contact()}#message=${encodeURIComponent(describeReading(draft.understood))}`}
            target="_blank"
          >
            Our list was read wrongly
          </Link>
        </p>
      )}
      {isSettled && !fixedClass && (
        <section aria-labelledby="class-title" className={css.block}>
          <h2 id="class-title">Class</h2>
          <NativeSelect
            label="Put the pupils into"
            className={css.toClass}
            value={String(destination)}
            onChange={(event) =>
              void adding.change((row) => row, { destination: toDestination(event.currentTarget.value) })
            }
            data={[
              ...(isInput ? [{ value: 'input', label: 'The classes in the list' }] : []),
              { value: 'none', label: 'No class yet' },
              ...classes.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
          {hasClasses && newClasses.length > 0 && (
            <Notice>
              {count(newClasses.length, 'class', 'classes')} will be created: {newClasses.join(', ')}.
            </Notice>
          )}
          {ofList.length > 0 && (
            <ClassesOfList
              classes={ofList}
              existing={existing.map(({ name }) => name)}
              isBusy={adding.isChecking}
              onRename={(from, to) => void adding.change(renameClass(from, to))}
            />
          )}
        </section>
      )}
      <section aria-labelledby="rows-title" className={css.block}>
        <div className="row spread">
          <h2 id="rows-title">Pupils</h2>
          {draft.source.kind !== 'rows' && !draft.isEdited && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconArrowsExchange size={18} aria-hidden />}
              onClick={() => answer({ names: answers?.names === 'swapped' ? 'as read' : 'swapped' })}
            >
              Swap first names and surnames
            </Button>
          )}
        </div>
        <DraftTable
          rows={rows}
          hasClasses={hasClasses}
          isBusy={adding.isChecking}
          {...(isSettled && { onEdit: edit })}
          onLeaveOut={leaveOut}
          onNamesake={(key, namesake) =>
            void adding.change((row) => (row.key === key ? { ...row, namesake, shouldMove: false } : row))
          }
          onMove={(key, shouldMove) => void adding.change((row) => (row.key === key ? { ...row, shouldMove } : row))}
        />
      </section>
      {isSettled && movers.length > 0 && (
        <section aria-labelledby="movers-title" className={css.block}>
          <h2 id="movers-title">In another class now</h2>
          <Checkbox
            label={`Move ${movers.length === 1 ? 'the pupil' : `all ${count(movers.length, 'pupil')}`} to the class in the list`}
            checked={movers.every(({ shouldMove }) => shouldMove)}
            isMixed={movers.some(({ shouldMove }) => shouldMove) && !movers.every(({ shouldMove }) => shouldMove)}
            onChange={(event) => {
              const shouldMove = event.currentTarget.checked;
              const keys = new Set(movers.map(({ key }) => key));
              void adding.change((row) => (keys.has(row.key) ? { ...row, shouldMove } : row));
            }}
          />
        </section>
      )}
      {isSettled && className && moving.unassigned.length + moving.inOtherClass.length > 0 && (
        <section aria-labelledby="existing-title" className={css.block}>
          <h2 id="existing-title">In the school already</h2>
          {moving.unassigned.length > 0 && (
            <Checkbox
              label={`Put the ${count(moving.unassigned.length, 'pupil')} without a class into ${className}`}
              checked={moving.takesUnassigned}
              onChange={(event) => moving.setTakesUnassigned(event.currentTarget.checked)}
            />
          )}
          {moving.inOtherClass.length > 0 && (
            <Checkbox
              label={`Move the ${count(moving.inOtherClass.length, 'pupil')} who are in another class into ${className}`}
              checked={moving.takesOthers}
              onChange={(event) => moving.setTakesOthers(event.currentTarget.checked)}
            />
          )}
        </section>
      )}
      {error !== null && <ErrorNotice error={error} onRetry={onConfirm} />}
      <StickyFoot>
        <p>
          <strong>{added}</strong>
          {more.map((part) => `, ${part}`)}
          {capacity.left !== null && (
            <span className="soft block">{count(capacity.left, 'place')} left in your subscription</span>
          )}
        </p>
        {open > 0 ? (
          <Button rightSection={<IconArrowUp size={18} aria-hidden />} onClick={focusFirstQuestion}>
            Answer {count(open, 'question')}
          </Button>
        ) : counts.wrong > 0 ? (
          <Button rightSection={<IconArrowUp size={18} aria-hidden />} onClick={focusFirstWrongRow}>
            Correct {count(counts.wrong, 'row')}
          </Button>
        ) : (
          <DisabledReasonButton side="above" disabledReason={disabledReason} onClick={onConfirm}>
            {total === 0 && yearGroups > 0
              ? 'Update year groups'
              : destination === 'input'
                ? actionOf(counts.new, moved)
                : actionOf(total, 0)}
          </DisabledReasonButton>
        )}
      </StickyFoot>
    </>
  );
}
