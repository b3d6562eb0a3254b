import { NativeSelect } from '../../../ui/Field.tsx';
import { useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useNavigate, useParams } from '../../../shared/router.ts';
import type { Class, School } from '#contract/calls/school.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { paths } from '../../../paths.ts';
import { allClassesParams, ownClasses } from '../../../shared/own-classes.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { removeDraft, useDraftOffer } from '../../../shared/drafts.ts';
import { useOpenWork } from '../../../shared/unsaved-work.ts';
import { DraftNotice } from '../../../ui/DraftNotice.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { count, formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { useSchool } from '../../school/school/school.public.ts';
import type { Source } from './pupil-import.api.ts';
import { useAnnouncement, useLoadingAnnouncement } from '../../../ui/use-announcement.ts';
import css from './AddPupilsPage.module.css';
import { ReviewImport } from './components/ReviewImport.tsx';
import { GatherPupils } from './components/GatherPupils.tsx';
import { UnfinishedNotice } from './components/UnfinishedNotice.tsx';
import { NewLoginsDialog } from '../../school/login-cards/login-cards.public.ts';
import { describeDraft, isImported } from './model/draft.ts';
import { useImportDraft } from './model/use-import-draft.ts';
import { type ImportOutcome, useCreation } from './model/use-creation.ts';
import { useMoving } from './model/use-moving.ts';

/** The name of the draft. */
const NAMES = 'names';

/** Adds pupils to the school, or to the class in the URL. */
export default function AddPupilsPage() {
  const { classId } = useParams();
  const school = useSchool();
  if (classId === undefined) return <AddPupils key="school" fixed={undefined} />;
  if (!school) return <PageSkeleton />;
  const fixed = school.groups.find(({ id }) => String(id) === classId);
  return fixed?.user_manages ? <AddPupils key={fixed.id} fixed={fixed} /> : <NotYours schoolClass={fixed} />;
}

function AddPupils({ fixed }: { fixed: Class | undefined }) {
  const schoolId = useSchoolId();
  const navigate = useNavigate();
  const school = useSchool();
  const own = ownClasses(useUser(), school);
  const classes = (school?.groups ?? []).filter(({ user_manages }) => user_manages);
  const [names, setNames] = useState<readonly string[]>(['', '', '']);
  const [choice, setChoice] = useState('');
  const adding = useImportDraft(schoolId, fixed?.id);
  const moving = useMoving(adding.draft);
  const pageClassId = fixed?.id ?? null;
  const creation = useCreation(schoolId, pageClassId);
  const { draft } = adding;
  // Rows that only state a year group are sent too, and add no one.
  const pupilCount = draft ? draft.rows.filter(isImported).length : creation.runningPupils;
  const hasNames = draft !== null || names.some((name) => name.trim() !== '');

  useAnnouncement(draft && !adding.isChecking && describeDraft(draft.rows).join(', '));
  const isAdding = creation.isRunning && pupilCount > 0;
  useLoadingAnnouncement(isAdding, `Adding ${count(pupilCount, 'pupil')}`);

  // A list that was read from a file is not stored.
  const isTyped = draft === null && hasNames;
  const { guard, release } = useLeaveGuard(!creation.logins && hasNames, isTyped);
  useOpenWork(isTyped, { name: NAMES, read: () => names });
  const namesDraft = useDraftOffer(NAMES, (values) => setNames(values as string[]));

  const confirmAdded = (toClass: number | null) =>
    showToast(
      toClass === null ? 'The pupils have been added to the school' : 'The pupils have been added to the class',
    );
  const leave = (toClass: number | null, message?: string) => {
    if (message === undefined) confirmAdded(toClass);
    else showToast(message);
    release();
    void navigate(toClass === null ? paths.pupils(allClassesParams(own)) : paths.classPage(toClass));
  };
  const finish = (created: ImportOutcome) => {
    if (typeof created === 'string') return;
    removeDraft(NAMES);
    setNames(['', '', '']);
    adding.discard();
    // New logins are handed out first.
    if (created.links) return;
    if (created.meta.created + created.meta.moved > 0) leave(pageClassId);
    else leave(pageClassId, 'The year groups have been updated');
  };
  const confirm = async () => {
    if (!draft || creation.isRunning) return;
    const outcome = await creation.run(draft, moving.chosen);
    // The school has changed since the preview: show what the list would do now.
    if (outcome === 'rejected') await adding.recheck();
    finish(outcome);
  };
  const confirmLogins = () => {
    // After a reload they may be those of another page.
    const toClass = creation.logins?.classId ?? null;
    creation.confirm();
    // Pupils that another tab has added must not cost this tab its names.
    if (hasNames) confirmAdded(toClass);
    else leave(toClass);
  };
  const begin = (source: Source, title: string, more: readonly string[]) => {
    creation.clearError();
    void adding.begin(source, title, choice === '' ? null : Number(choice), more);
  };

  const above = fixed
    ? [
        { text: 'Classes', to: paths.classes() },
        { text: fixed.name, to: paths.classPage(fixed.id) },
      ]
    : [{ text: 'Pupils', to: paths.pupils() }];

  return (
    <>
      <PageHeader
        title="Add Pupils"
        crumbs={above}
        lead={fixed ? `Add new pupils to ${fixed.name}.` : 'Add new pupils to your school and print their logins.'}
        actions={
          <ButtonLink variant="default" to={paths.pupilLists()}>
            Undo a list
          </ButtonLink>
        }
      />
      {isAdding ? (
        <CreationProgress pupils={pupilCount} />
      ) : draft ? (
        <ReviewImport
          adding={adding}
          draft={draft}
          classes={classes}
          fixedClass={fixed}
          moving={moving}
          onConfirm={() => void confirm()}
          error={creation.error}
        />
      ) : (
        <>
          <DraftNotice offer={namesDraft} />
          {creation.unfinished && (
            <UnfinishedNotice unfinished={creation.unfinished} onContinue={() => void creation.resume().then(finish)} />
          )}
          {creation.error !== null && <ErrorNotice error={creation.error} />}
          <RoomLeft school={school} />
          {fixed ? (
            <p>
              Are they already in your school?{' '}
              <Link to={`${paths.classPage(fixed.id)}?add=existing`}>Add existing pupils</Link>
            </p>
          ) : (
            classes.length > 0 && (
              <NativeSelect
                label="Class (optional)"
                className={css.class}
                value={choice}
                onChange={(event) => setChoice(event.currentTarget.value)}
                data={[
                  { value: '', label: 'Use the classes in the list, or none' },
                  ...classes.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
              />
            )
          )}
          <GatherPupils
            names={names}
            onNames={setNames}
            onSource={begin}
            isBusy={adding.isChecking}
            error={adding.error}
          />
        </>
      )}
      <NewLoginsDialog logins={creation.logins} onClose={confirmLogins} />
      <LeaveGuard {...guard}>The names on this page have not been added yet.</LeaveGuard>
    </>
  );
}

function NotYours({ schoolClass }: { schoolClass: Class | undefined }) {
  return (
    <>
      <PageHeader
        title={schoolClass ? 'Add Pupils' : 'Class not found'}
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
      />
      <p>
        {schoolClass
          ? `You do not manage ${schoolClass.name}. Ask its teacher or a school administrator to add pupils to it.`
          : 'This class is not in your school. It may have been deleted, or you may have mistyped the address.'}
      </p>
      <ButtonLink to={paths.classes()}>Go to all classes</ButtonLink>
    </>
  );
}

/** Shows that logins are being made, which takes a while because passwords are hashed slowly on purpose. */
function CreationProgress({ pupils }: { pupils: number }) {
  return (
    <section className={`sheet ${css.progress}`} aria-labelledby="progress-title">
      <h2 id="progress-title">Adding {count(pupils, 'pupil')}</h2>
      <p>
        Each pupil gets a username, a password and a login card. If you close this page, we carry on: come back to Add
        Pupils in this browser within 24 hours to get the logins.
      </p>
      <progress className={css.bar} aria-labelledby="progress-title" />
    </section>
  );
}

/** How many more pupils the school's subscription allows. Nothing if it has no limit. */
function RoomLeft({ school }: { school: Pick<School, 'subscription' | 'readers_count'> | undefined }) {
  const max = school?.subscription?.max_readers;
  if (!school || max === undefined || max >= UNLIMITED_READERS) return null;
  const taken = school.readers_count;
  const left = Math.max(0, max - taken);
  return (
    <Notice kind={left === 0 ? 'warning' : 'info'}>
      {left === 0
        ? `All ${count(max, 'place')} of your subscription are taken.`
        : `Your subscription has room for ${count(left, 'more pupil')}: ${formatNumber(taken)} of ${count(max, 'place')} taken.`}
    </Notice>
  );
}
