import { Button } from '../../../ui/Button.tsx';
import { useState, type FormEvent } from 'react';
import type { Invited } from '#contract/calls/invites.ts';
import { UPLOAD_BYTES } from '#contract/limits.ts';
import { paths } from '../../../paths.ts';
import { removeDraft, useDraftOffer } from '../../../shared/drafts.ts';
import { useOpenWork } from '../../../shared/unsaved-work.ts';
import { DraftNotice } from '../../../ui/DraftNotice.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Card } from '../../../ui/Card.tsx';
import { SideBySide } from '../../../ui/SideBySide.tsx';
import css from './AddTeacherPage.module.css';
import { emailProblems, emptyRow, filledRows, type InviteRow } from './model/invite-rows.ts';
import { InviteOutcome } from './components/InviteOutcome.tsx';
import { InvitePosition, type Position } from './components/InvitePosition.tsx';
import { fieldOf, InviteRows } from './components/InviteRows.tsx';
import { useSendInvites, useSendInvitesFile } from './teachers.api.ts';

const TEMPLATE = '/v1/templates/teachers.xlsx';

/** The name of the draft. */
const ROWS = 'rows';

/** Invites teachers by rows or from a file. */
export default function AddTeacherPage() {
  const schoolId = useSchoolId();
  const send = useSendInvites(schoolId);
  const sendFile = useSendInvitesFile(schoolId);
  const [rows, setRows] = useState<readonly InviteRow[]>([emptyRow(), emptyRow()]);
  const [position, setPosition] = useState<Position>({ role: 'teacher', classId: '' });
  const [file, setFile] = useState<File | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<Invited | null>(null);
  const problems = attempt > 0 ? emailProblems(rows) : {};
  const error = send.error ?? sendFile.error;

  useOpenWork(filledRows(rows).length > 0, { name: ROWS, read: () => rows });
  const draft = useDraftOffer(ROWS, (values) => setRows(values as InviteRow[]));

  const begin = () => {
    setOutcome(null);
    send.reset();
    sendFile.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    begin();
    if (Object.keys(emailProblems(rows)).length > 0) return setAttempt((tries) => tries + 1);
    setAttempt(0);
    const filled = filledRows(rows);
    const classIds = filled.length === 1 && position.classId !== '' ? [Number(position.classId)] : [];
    send.mutate(
      { rows: filled, role: position.role, classIds },
      {
        onSuccess: (reply) => {
          removeDraft(ROWS);
          setOutcome(reply);
          if (reply.failed.length === 0) setPosition({ role: 'teacher', classId: '' });
          // Rows that failed stay in the form, to be corrected.
          const failed = reply.failed.map(({ email, name }) => ({ email, name }));
          setRows([...failed, emptyRow(), ...(failed.length === 0 ? [emptyRow()] : [])]);
        },
      },
    );
  };
  const submitFile = () => {
    if (!file || sendFile.isPending) return;
    begin();
    sendFile.mutate(file, {
      onSuccess: (reply) => {
        setOutcome(reply);
        setFile(null);
      },
    });
  };

  return (
    <>
      <PageHeader
        title="Add Teacher"
        crumbs={[{ text: 'Teachers', to: paths.teachers() }]}
        lead="Each teacher gets an email with a link to join your school. It works for 14 days."
      />
      <DraftNotice offer={draft} />
      <ErrorSummary
        errors={Object.entries(problems).map(([index, text]) => ({ field: fieldOf(Number(index)), text }))}
        attempt={attempt}
      />
      {error && <ErrorNotice error={error} lost="No invitation has been sent." />}
      {outcome && <InviteOutcome outcome={outcome} />}
      <SideBySide first={1.5}>
        <Card aria-labelledby="rows-title">
          <h2 id="rows-title">Enter their email addresses</h2>
          <form method="post" onSubmit={submit} noValidate className={`stack-l ${css.form}`}>
            <InviteRows rows={rows} onChange={setRows} problems={problems} />
            <InvitePosition position={position} onChange={setPosition} isOne={filledRows(rows).length <= 1} />
            <Button type="submit" loading={send.isPending}>
              Send invitations
            </Button>
          </form>
        </Card>
        <Card aria-labelledby="file-title" className={`stack-l ${css.form}`}>
          <h2 id="file-title">Or upload a spreadsheet</h2>
          <FileDrop
            label={file ? 'Choose another spreadsheet' : 'Choose a spreadsheet'}
            hint="or drop it here: csv, xls or xlsx, up to 10 MB"
            endings={['csv', 'xls', 'xlsx']}
            maxBytes={UPLOAD_BYTES}
            isBusy={sendFile.isPending}
            onFile={setFile}
          />
          {file && (
            <Button loading={sendFile.isPending} onClick={submitFile}>
              Send invitations from {file.name}
            </Button>
          )}
          <p className="soft">
            It needs a column of email addresses and one of names.{' '}
            <a href={TEMPLATE} download>
              Download the template
            </a>
          </p>
        </Card>
      </SideBySide>
      <LeaveGuard isDirty={filledRows(rows).length > 0 || file !== null} isDrafted={file === null}>
        The invitations have not been sent yet.
      </LeaveGuard>
    </>
  );
}
