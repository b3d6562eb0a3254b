import { Button } from '../../../ui/Button.tsx';
import { useRef, useState, type FormEvent } from 'react';
import type { ReplyOf } from '#contract/call.ts';
import type { inviteCalls, Invited } from '#contract/calls/invites.ts';
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
import css from './AddTeacherPage.module.css';
import { emailProblems, emptyRow, filledRows, type InviteRow, rowsOfList } from './model/invite-rows.ts';
import { InviteOutcome, RemovedInvites } from './components/InviteOutcome.tsx';
import { fieldOf, InviteRows } from './components/InviteRows.tsx';
import { useInviteList, useSendInvites } from './teachers.api.ts';

const TEMPLATE = '/v1/templates/teachers.xlsx';

/** The name of the draft. */
const ROWS = 'rows';

/** Invites teachers by rows, which a list of staff can fill. */
export default function AddTeacherPage() {
  const schoolId = useSchoolId();
  const send = useSendInvites(schoolId);
  const list = useInviteList(schoolId);
  const [rows, setRows] = useState<readonly InviteRow[]>([emptyRow(), emptyRow()]);
  const heading = useRef<HTMLHeadingElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [outcome, setOutcome] = useState<(Invited & { rows: readonly InviteRow[] }) | null>(null);
  const [removal, setRemoval] = useState<{
    sent: Invited['sent'];
    removed: ReplyOf<typeof inviteCalls.removeInvites>;
  } | null>(null);
  const problems = attempt > 0 ? emailProblems(rows) : {};
  const error = send.error ?? list.error;
  const filled = filledRows(rows);

  useOpenWork(filled.length > 0, { name: ROWS, read: () => rows });
  const draft = useDraftOffer(ROWS, (values) => setRows(values as InviteRow[]));

  const begin = () => {
    setOutcome(null);
    setRemoval(null);
    send.reset();
    list.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    begin();
    if (Object.keys(emailProblems(rows)).length > 0) return setAttempt((tries) => tries + 1);
    setAttempt(0);
    send.mutate(filled, {
      onSuccess: (reply) => {
        removeDraft(ROWS);
        setOutcome({ ...reply, rows: filled });
        // Rows that failed stay in the form, to be corrected.
        const failed = reply.failed.flatMap(({ email }) => filled.find((row) => row.email === email) ?? []);
        setRows([...failed, emptyRow(), ...(failed.length === 0 ? [emptyRow()] : [])]);
      },
    });
  };
  const read = (source: File | string) => {
    begin();
    setAttempt(0);
    list.mutate(source, {
      onSuccess: ({ people }) => {
        setRows([...rows.filter(({ email }) => email.trim() !== ''), ...rowsOfList(people), emptyRow()]);
        heading.current?.focus();
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
      {outcome && (
        <InviteOutcome
          outcome={outcome}
          onRemoved={(reply) => {
            const removed = outcome.sent.filter(({ id }) => reply.removed.includes(id));
            const back = removed.flatMap(({ email }) => outcome.rows.find((row) => row.email === email) ?? []);
            const entered = rows.filter(({ email }) => email.trim() !== '');
            setRows([...back, ...entered, emptyRow()]);
            setOutcome(null);
            setRemoval({ sent: outcome.sent, removed: reply });
          }}
        />
      )}
      {removal && <RemovedInvites {...removal} />}
      <div className="stack-l">
        <Card aria-labelledby="rows-title">
          <h2 id="rows-title" ref={heading} tabIndex={-1}>
            Enter their email addresses
          </h2>
          <form method="post" onSubmit={submit} noValidate className={`stack-l ${css.form}`}>
            <InviteRows rows={rows} onChange={setRows} onPasteList={read} problems={problems} />
            <p className="soft">Admins have all permissions.</p>
            <Button type="submit" loading={send.isPending}>
              {filled.length > 1 ? `Send ${filled.length} invitations` : 'Send invitations'}
            </Button>
          </form>
        </Card>
        <Card aria-labelledby="file-title" className={`stack-l ${css.form}`}>
          <h2 id="file-title">Or upload a spreadsheet</h2>
          <FileDrop
            label="Choose a spreadsheet"
            hint="or drop it here: xlsx, xls, ods, csv, tsv or txt, up to 10 MB"
            endings={['csv', 'tsv', 'txt', 'xls', 'xlsx', 'ods']}
            maxBytes={UPLOAD_BYTES}
            isBusy={list.isPending}
            onFile={read}
          />
          <p className="soft">
            Any list of staff with email addresses, such as the users of your email system. It fills the form above, and
            nothing is sent before you have checked it.{' '}
            <a href={TEMPLATE} download>
              Download the template
            </a>
          </p>
        </Card>
      </div>
      <LeaveGuard isDirty={filled.length > 0} isDrafted>
        The invitations have not been sent yet.
      </LeaveGuard>
    </>
  );
}
