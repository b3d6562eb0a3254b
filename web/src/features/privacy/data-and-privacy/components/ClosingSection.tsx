import { Button } from '../../../../ui/Button.tsx';
import { type ReactNode, useState } from 'react';
import type { School } from '#contract/calls/school.ts';
import { DAYS_TO_CLOSE, DAYS_TO_ERASE } from '#contract/calls/school-closing.ts';
import { formatDate } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { SchoolDownload } from '../../../school/school/school.public.ts';
import { useCancelClosing, useConfirmClosing, useRequestClosing } from '../data-and-privacy.api.ts';

const INVOICES = 'We keep invoices for as long as the law requires. An open invoice is still due.';

/** Asking to close the school, confirming it, and reopening it: steps for admins, which the others read about. */
export function ClosingSection({ school, canEdit }: { school: School; canEdit: boolean }) {
  return canEdit ? <ClosingSteps school={school} /> : <p>{describe(school.closing)} Only an admin can do this.</p>;
}

function ClosingSteps({ school: { id, name, closing } }: { school: School }) {
  const user = useUser();
  const request = useRequestClosing(id);
  const confirm = useConfirmClosing(id);
  const cancel = useCancelClosing(id);
  const isMine = closing?.requested_by?.id === user.id;
  return (
    <>
      <p>{describe(closing)}</p>
      {closing && <SchoolDownload />}
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <div className="cluster above-m">
        {!closing && (
          <ClosingStep
            label="Close the school"
            title={`Ask to close ${name}?`}
            action="Ask to close"
            lost="The school has not been changed."
            success="All admins get an email"
            onConfirm={() => request.mutateAsync(undefined)}
          >
            Another admin can confirm it at once. Otherwise the school closes after {DAYS_TO_CLOSE} days. Any admin can
            withdraw the request before. Until then everything works as now.
          </ClosingStep>
        )}
        {closing && !closing.closed_at && !isMine && (
          <ClosingStep
            label="Confirm closing"
            title={`Close ${name} now?`}
            action="Close the school now"
            lost="The school has not been closed."
            success="The school is closed"
            onConfirm={() => confirm.mutateAsync(undefined)}
          >
            Pupils are logged out and cannot log in. Staff can only read and download. Pending invitations end. After{' '}
            {DAYS_TO_ERASE} days we erase the school. Until then any admin can reopen it. {INVOICES}
          </ClosingStep>
        )}
        {closing && (
          <Button
            variant="default"
            loading={cancel.isPending}
            onClick={() =>
              cancel.mutate(undefined, {
                onSuccess: () => showToast(closing.closed_at ? 'The school is open again' : 'The request is withdrawn'),
              })
            }
          >
            {closing.closed_at ? 'Reopen the school' : 'Withdraw the request'}
          </Button>
        )}
      </div>
    </>
  );
}

function describe(closing: School['closing']): string {
  if (!closing)
    return `If your school leaves, you can close it here. Another admin confirms it, or it closes after ${DAYS_TO_CLOSE} days. For ${DAYS_TO_ERASE} days you can then still read, download and reopen it. After that we erase it.`;
  if (closing.closed_at)
    return `The school is closed. Pupils cannot log in, and nothing can be changed. Staff can read and download everything until ${formatDate(closing.erase_at ?? closing.closed_at)}. After that day we erase the school. ${INVOICES}`;
  const who = closing.requested_by?.name ?? 'A former admin';
  return `${who} has asked to close the school. Another admin can confirm it now. Otherwise it closes on ${formatDate(closing.takes_effect_at)}.`;
}

interface StepProps {
  /** The button, and the action in its dialog. */
  label: string;
  action: string;
  title: string;
  lost: string;
  success: string;
  onConfirm: () => Promise<unknown>;
  children: ReactNode;
}

/** A button with a dialog that takes a step of the closing. */
function ClosingStep({ label, success, onConfirm, children, ...texts }: StepProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" color="brick" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Confirm
        {...texts}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isDangerous
        onConfirm={async () => {
          await onConfirm();
          showToast(success);
        }}
      >
        <p>{children}</p>
      </Confirm>
    </>
  );
}
